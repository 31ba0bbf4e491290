/** What the agent's process may know of its surroundings. The CLI inherits the daemon's environment, so that is cut first. */
import { passedOn } from "../tool/passed-on.ts";

/** What the agent's CLI is told besides: where its model is (a placeholder stands for the key), and which it may use. */
const AGENT_ONLY = [
  "HOME",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_DEFAULT_HAIKU_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL",
  "CLAUDE_CODE_SUBAGENT_MODEL",
] as const;

/** Set whatever the image or the engine say. */
const ALWAYS = {
  CI: "1",
  TERM: "dumb",
  // Claude Code refuses --dangerously-skip-permissions as root unless it is told that it runs in a sandbox.
  IS_SANDBOX: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_CONFIG_NOSYSTEM: "1",
} as const;

/** The environment for the agent's CLI, from the daemon's own. */
export function agentEnvironment(own: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return { ...passedOn(own, AGENT_ONLY), ...ALWAYS };
}

/** Replace every variable of `target` by `wanted`. */
export function replaceEnvironment(
  target: NodeJS.ProcessEnv,
  wanted: Readonly<Record<string, string>>,
): void {
  for (const name of Object.keys(target)) delete target[name];
  Object.assign(target, wanted);
}
