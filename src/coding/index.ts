/** What coding/ offers. */
export { callTool, type ToolCallFault } from "./call-tool.ts";
export { fenced, type Fence } from "./fenced-container.ts";
export { Coder } from "./coder.ts";
export { runChecks } from "./run-checks.ts";
