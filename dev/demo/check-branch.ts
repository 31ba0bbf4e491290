/** The proof of a pull request: its branch, fetched with git into an empty folder, and its tests run there. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { World } from "../world/start-world.ts";
import type { PlayedPullRequest } from "./play-mention.ts";

const run = promisify(execFile);

const LOOPBACK = "127.0.0.1,localhost";

export type CheckedBranch =
  | { readonly ok: true; readonly branch: string; readonly output: string }
  | { readonly ok: false; readonly why: string };

/** @param stop ends git and the tests */
export async function checkBranch(
  world: Pick<World, "folder" | "github">,
  fullName: string,
  pull: Pick<PlayedPullRequest, "branch"> | undefined,
  stop: AbortSignal,
): Promise<CheckedBranch> {
  if (pull === undefined) return { ok: false, why: "there is no pull request" };
  const folder = await mkdtemp(join(world.folder, "clone-"));
  const env = {
    ...process.env,
    // The repository's tests are written for the Node that this program runs on.
    PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
    // A proxy that the developer has set knows nothing of this machine's own ports.
    no_proxy: LOOPBACK,
    NO_PROXY: LOOPBACK,
  };
  try {
    const url = `${world.github.url}/${fullName}.git`;
    await run("git", ["clone", "--quiet", "--depth", "1", "--branch", pull.branch, url, folder], {
      env,
      signal: stop,
    });
    const { stdout } = await run("npm", ["test"], { cwd: folder, env: withoutTestRunner(env), signal: stop });
    return { ok: true, branch: pull.branch, output: stdout };
  } catch (thrown) {
    return { ok: false, why: thrown instanceof Error ? thrown.message.slice(0, 2_000) : String(thrown) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Node's own test runner behaves otherwise when it believes to be one of another's children. */
function withoutTestRunner(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...rest } = env;
  return rest;
}
