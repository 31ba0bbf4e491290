/**
 * Runs git on a bare repository: argument lists only, an environment of our own, so neither the machine's git
 * settings nor a caller's GIT_ variables change what happens.
 */
import { spawn } from "node:child_process";

type GitRun = { readonly code: number; readonly out: Buffer; readonly err: string };

class GitFailed extends Error {
  readonly code: number;
  constructor(args: readonly string[], run: GitRun) {
    super(`git ${args[0] ?? ""} ended with ${run.code}: ${run.err.trim()}`);
    this.name = "GitFailed";
    this.code = run.code;
  }
}

/** The whole environment of every git process. `extra` adds identities and CGI variables. */
export function gitEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: "/nonexistent",
    LC_ALL: "C",
    TZ: "UTC",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_TERMINAL_PROMPT: "0",
    ...extra,
  };
}

/** Runs to the end, whatever the exit code. */
export function runGit(dir: string, args: readonly string[], input?: Uint8Array | string): Promise<GitRun> {
  return new Promise((resolve, reject) => {
    const child = spawn("git", ["--git-dir", dir, ...args], { env: gitEnvironment(), stdio: "pipe" });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code: code ?? -1, out: Buffer.concat(out), err: Buffer.concat(err).toString("utf8") }),
    );
    // git may end without reading its input (a bad argument): its exit code tells, not EPIPE.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input ?? "");
  });
}

/** Standard output of a run that must succeed. Throws GitFailed otherwise. */
export async function git(
  dir: string,
  args: readonly string[],
  input?: Uint8Array | string,
): Promise<Buffer> {
  const run = await runGit(dir, args, input);
  if (run.code !== 0) throw new GitFailed(args, run);
  return run.out;
}
