/** The machine's real git as a person would use it, without the machine's settings. Never synchronous: it talks to us. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

export type GitOutcome = { readonly ok: boolean; readonly out: string; readonly err: string };

/** Runs `git args` in `cwd`; a failing command is an outcome. */
export async function git(cwd: string, ...args: readonly string[]): Promise<GitOutcome> {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@mail.example",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@mail.example",
  };
  try {
    const { stdout, stderr } = await run("git", [...args], { cwd, env, timeout: 20_000 });
    return { ok: true, out: stdout.trim(), err: stderr };
  } catch (error) {
    const field = (name: string): string =>
      typeof error === "object" && error !== null ? String(Reflect.get(error, name)) : "";
    return { ok: false, out: field("stdout"), err: field("stderr") };
  }
}

/** A remote's address with a token in it, as CI checkouts write it. */
export function remote(url: string, path: string, token?: string): string {
  const address = new URL(`${url}/${path}.git`);
  if (token !== undefined) {
    address.username = "x-access-token";
    address.password = token;
  }
  return address.href;
}
