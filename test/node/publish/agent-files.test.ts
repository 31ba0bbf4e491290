import { describe, expect, it } from "vitest";
import { refusePath } from "../../../src/publish/judge.ts";
import { gitTakes } from "./second-judge.ts";

/** Where agents look for what to obey when they start in a checkout, in any case of letters. */
const AGENT_FILES = [
  "AGENTS.md",
  "sub/agents.MD",
  "AGENTS.override.md",
  "CLAUDE.md",
  "a/CLAUDE.local.md",
  "GEMINI.md",
  ".claude/settings.json",
  ".claude",
  ".clinerules",
  ".clinerules/x.md",
  ".kiro/steering/x.md",
  ".opencode/agent/x.md",
  "opencode.json",
  "a/opencode.jsonc",
  ".roo/rules/x.md",
  ".roomodes",
  ".goosehints",
  ".windsurfrules",
  ".cursorrules",
  ".agents/skills/x/SKILL.md",
  ".aider.conf.yml",
  "QWEN.md",
  ".VSCode/mcp.json",
  ".vscode/tasks.json",
  ".github/instructions/x.instructions.md",
  ".github/agents/x.md",
  ".github/prompts/x.prompt.md",
  ".github/chatmodes/x.chatmode.md",
  "a/.Claude/settings.json",
  ".codex/config.toml",
  ".cursor/rules/x.mdc",
  ".mcp.json",
  ".claude.json",
  ".github/copilot-instructions.md",
] as const;

const NEIGHBOURS = [
  ".vscode/settings.json",
  ".vscode/extensions.json",
  "docs/agents/index.md",
  "agents/index.ts",
  "src/claude.ts",
  "docs/claude.md.txt",
  "opencode.ts",
  "roo/rules.md",
  ".github/instructions.md",
  "docs/.github/prompts/x.md",
  "mcp.json",
] as const;

describe("a file that steers agents", () => {
  it.each(AGENT_FILES)("is not delivered, though git takes it: %s", async (path) => {
    expect(refusePath(path)).toBe("agent-file");
    expect(await gitTakes(path)).toBe(true);
  });

  it.each(NEIGHBOURS)("is not taken for one by its looks: %s", (path) => {
    expect(refusePath(path)).toBeUndefined();
  });
});
