/** What the agent's process may know of its surroundings. The CLI inherits the daemon's environment, so that is cut first. */

/** Names passed on as they are. None of them holds a credential: the model key is a placeholder that Egress replaces. */
const PASSED_ON = [
  "PATH",
  "HOME",
  "LANG",
  "TMPDIR",
  "TZ",
  // The local engine finds a container's processes by it; absent in the image.
  "PATCHWRIGHT_CONTAINER",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_API_KEY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "SSL_CERT_FILE",
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
  const passed = PASSED_ON.flatMap((name) => {
    const value = own[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), ...ALWAYS };
}

/** Replace every variable of `target` by `wanted`. */
export function replaceEnvironment(
  target: NodeJS.ProcessEnv,
  wanted: Readonly<Record<string, string>>,
): void {
  for (const name of Object.keys(target)) delete target[name];
  Object.assign(target, wanted);
}
