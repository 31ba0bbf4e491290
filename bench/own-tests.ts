/** The repository's own tests by hand: a clone, no container, the command that the clean container runs. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { parts, personIn } from "../dev/world/person.ts";
import type { World } from "../dev/world/start-world.ts";

const run = promisify(execFile);

/** Times they are run; the first finds nothing in the disk cache. */
const TIMES = 5;

/**
 * Milliseconds of each run, on the branch of the newest pull request.
 * @throws Error when they fail, or when there is none: a run of nothing is fast
 */
export async function timeOwnTests(world: World, fullName: string): Promise<readonly number[]> {
  const { octokit } = personIn(world, "ada");
  const { data } = await octokit.rest.pulls.list({ ...parts(fullName), state: "open", per_page: 1 });
  const branch = data[0]?.head.ref;
  if (branch === undefined) throw new Error("there is no pull request whose tests could be run");
  const folder = await mkdtemp(join(tmpdir(), "patchwright-bench-"));
  // For the Node that this program runs on, as in the container, and not as a child of another test runner.
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...own } = process.env;
  const env = { ...own, PATH: [dirname(process.execPath), own["PATH"]].join(delimiter) };
  try {
    await run("git", [
      "clone",
      "-q",
      "--depth",
      "1",
      "-b",
      branch,
      `${world.github.url}/${fullName}.git`,
      folder,
    ]);
    const taken: number[] = [];
    for (let n = 0; n < TIMES; n++) {
      const from = performance.now();
      const { stdout } = await run("npm", ["test"], { cwd: folder, env });
      taken.push(performance.now() - from);
      if (!/^ℹ pass [1-9]/m.test(stdout)) throw new Error("no test was run by hand");
    }
    return taken;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
