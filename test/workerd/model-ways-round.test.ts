import { describe, expect, it } from "vitest";
import { judgeModelBody, keepBetas } from "../../src/egress/model-body.ts";

const ASKED = { model: "claude-a", max_tokens: 10, messages: [{ role: "user", content: "hi" }] };
const judged = (more: Readonly<Record<string, unknown>>) =>
  judgeModelBody(JSON.stringify({ ...ASKED, ...more }), ["claude-a"]);
const inMessage = (block: unknown) => ({ messages: [{ role: "system", content: [block] }] });
const addition = (definition: unknown) =>
  inMessage({ type: "tool_addition", tool: { type: "tool_definition", definition } });

describe("a way round the tools that are judged", () => {
  it.each<[string, Record<string, unknown>]>([
    ["a hosted tool defined in a message", addition({ type: "web_fetch_20260318", name: "web_fetch" })],
    ["an MCP toolset defined in a message", addition({ type: "mcp_toolset", mcp_server_name: "x" })],
    ["a definition that is none", addition("web_fetch")],
    [
      "one in what was compacted",
      inMessage({
        type: "compaction",
        tool_changes: [{ type: "tool_definition", definition: { type: "web_search_1" } }],
      }),
    ],
    ["a file put into a container", inMessage({ type: "container_upload", file_id: "f" })],
    ["a conversation kept by the provider", { thread: { type: "continue", previous_message_id: "m" } }],
  ])("is refused: %s", (_, more) => {
    expect(judged(more)).toMatchObject({ ok: false, fault: { why: "hosted-tool" } });
  });

  it.each<[string, Record<string, unknown>]>([
    ["a tool of its own defined in a message", addition({ name: "bash", input_schema: { type: "object" } })],
    ["one that says so", addition({ type: "custom", name: "bash", input_schema: {} })],
    [
      "a schema that speaks of sources",
      { tools: [{ name: "x", input_schema: { properties: { source: { type: "url" } } } }] },
    ],
    ["lists that are null", { tools: null, mcp_servers: null, container: null, thread: null }],
  ])("is not seen in %s", (_, more) => {
    expect(judged(more).ok).toBe(true);
  });
});

describe("keys that would move a request", () => {
  it("to another model, price, account or workspace are left out, and all else stays", () => {
    const moved = {
      fallbacks: [{ model: "claude-b", speed: "fast" }],
      fallback_credit_token: "t",
      speed: "fast",
      service_tier: "priority",
      user_profile_id: "u",
      workspace_id: "w",
      billing_policy: {},
    };
    const body = judged({ ...moved, temperature: 0.5 });
    expect(body.ok && JSON.parse(body.value)).toEqual({ ...ASKED, temperature: 0.5 });
  });

  it("by a feature header are left out, and harmless ones stay", () => {
    const betas =
      "inline-tools-2026-09-15,server-side-fallback-1,fast-mode-1,message-threads-1,user-profiles-1,advisor-1";
    expect(keepBetas(`${betas},context-1m-2025-08-07,interleaved-thinking-2025-05-14`)).toBe(
      "context-1m-2025-08-07,interleaved-thinking-2025-05-14",
    );
  });
});
