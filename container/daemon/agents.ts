/**
 * The coding agents that the daemon can run: one row each. A row is the harness's own preset with the flags that make
 * it deaf to the checkout: a repository must not configure the agent that works on it.
 */
import { claudeCodeCli } from "agents/harness/container/runtime";
import type { CliAdapterOptions } from "agents/harness/container/runtime";
import { withFreshStart } from "./fresh-start.ts";
import type { FreshStart } from "./fresh-start.ts";

/**
 * Tried with Claude Code 2.1.332 on a checkout that carries a hostile .claude/settings.json. Without these flags its
 * `env` moves ANTHROPIC_BASE_URL to another host, its hooks and apiKeyHelper and the servers of .mcp.json are run, and
 * CLAUDE.md and the checkout's skills join the prompt. `--bare` shuts the same doors but also takes away most of the
 * system prompt and every tool but three.
 */
const CLAUDE_CODE_FLAGS = [
  // No settings file of the user, the project or the local checkout.
  "--setting-sources=",
  // No MCP server but those of --mcp-config, of which there are none.
  "--strict-mcp-config",
  // No CLAUDE.md, skills, hooks, plugins, commands or output styles, wherever they lie.
  "--safe-mode",
  // No skills, and no commands of Claude Code's own (see asText).
  "--disable-slash-commands",
  // Nobody is there to answer: what would ask is refused instead of waited for.
  "--permission-prompts=none",
  // Work on files and run commands; no web tools, no schedules, no agents of its own.
  "--tools=Bash,Edit,Glob,Grep,Read,Write",
] as const;

/** The preset's command with flags put right after the program's name. */
function withFlags(cli: CliAdapterOptions, flags: readonly string[]): CliAdapterOptions {
  return {
    ...cli,
    command(turn) {
      const command = cli.command({ ...turn, prompt: asText(turn.prompt) });
      const [program = cli.id, ...rest] = command.argv;
      return { ...command, argv: [program, ...flags, ...rest] };
    },
  };
}

/**
 * A prompt that is text and no command. Even with --disable-slash-commands a first line "/init" is answered with
 * "/init isn't available in this environment." as a success, and the model is never asked; after a blank line it is text.
 */
function asText(prompt: string): string {
  return prompt.startsWith("/") ? `\n${prompt}` : prompt;
}

const AGENTS: ReadonlyMap<string, () => FreshStart> = new Map([
  [
    "claude-code",
    () =>
      withFreshStart(
        withFlags(claudeCodeCli, CLAUDE_CODE_FLAGS),
        /No conversation found with session ID: ([0-9a-f-]+)/,
      ),
  ],
]);

/** The agent that CF_HARNESS_ADAPTER names. Throws for any other: the image and the Worker then do not match. */
export function agentNamed(name: string | undefined): FreshStart {
  const agent = AGENTS.get(name ?? "");
  if (agent === undefined)
    throw new Error(`no agent ${name ?? "named"}; there are ${[...AGENTS.keys()].join(", ")}`);
  return agent();
}
