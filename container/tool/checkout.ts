/**
 * `checkout`: fill the workspace with one commit. Everything is prepared under `state`, where the agent cannot reach,
 * given to the agent's user there, and only then moved into the workspace. An earlier or half-done checkout is wiped.
 *
 * The agent gets a git folder of its own, with copies of the objects: it may do anything to it, and nothing of ours
 * ever reads it.
 */
import { spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Checkout, CheckoutDone } from "../../src/domain/container-protocol.ts";
import { makeAgentRepository } from "./agent-repository.ts";
import { forgetBase, recordBase } from "./base.ts";
import { errorCode, refuse } from "./faults.ts";
import { fetchCommit } from "./fetch-commit.ts";
import { gitHere } from "./git.ts";
import type { Places } from "./places.ts";
import { readTree } from "./tree.ts";

/**
 * Check out `order.commit` with `order.depth` commits of history.
 * Refuses with repository-unreachable, commit-not-found, disk or git-failed; then nothing counts as checked out.
 */
export async function checkOut(places: Places, order: Checkout): Promise<CheckoutDone> {
  const startedAt = performance.now();
  mkdirSync(places.state, { recursive: true });
  chmodSync(places.state, 0o700);
  mkdirSync(places.workspace, { recursive: true });
  forgetBase(places);
  const staging = join(places.state, "staging");
  rmSync(staging, { recursive: true, force: true });

  const base = await fetchCommit(places, order);
  const entries = await readTree(places, base.tree);
  mkdirSync(staging, { mode: 0o755 });
  await writeTree(places, base.tree, staging);
  for (const [path, entry] of entries) {
    // A submodule is left out: its repository is another one, which nobody gave us the right to read.
    if (entry.mode === "160000") mkdirSync(Buffer.from(`${staging}/${path}`, "latin1"), { recursive: true });
  }
  await makeAgentRepository(places, staging, base.commit);
  const { agent } = places;
  if (agent !== undefined) {
    await command(["chown", "-R", "-h", `${agent.uid}:${agent.gid}`, staging]);
    chownSync(places.workspace, agent.uid, agent.gid);
  }

  await emptyWorkspace(places);
  moveInto(staging, places.workspace);
  recordBase(places, base);
  const files = [...entries.values()].filter((entry) => entry.mode !== "160000").length;
  return { ...base, files, ms: Math.round(performance.now() - startedAt) };
}

/** Write the tree's files, byte for byte: the repository's own attributes are overruled (see fetch-commit.ts). */
async function writeTree(places: Places, tree: string, folder: string): Promise<void> {
  const env = { GIT_INDEX_FILE: join(places.state, "staging.index") };
  await gitHere(places, ["read-tree", tree], { env });
  await gitHere(places, [`--work-tree=${folder}`, "checkout-index", "--all", "--force", "--quiet"], { env });
  rmSync(env.GIT_INDEX_FILE, { force: true });
}

/**
 * Remove all that the workspace holds. `find -delete` and `chmod -R` walk by open folders and follow no link, so a
 * process of the agent that still runs cannot lead them outside.
 */
async function emptyWorkspace(places: Places): Promise<void> {
  // A folder without the right to write would survive a user's own removal.
  if (process.getuid?.() !== 0) await command(["chmod", "-R", "u+rwX", places.workspace]);
  await command(["find", places.workspace, "-mindepth", "1", "-delete"]);
}

function moveInto(from: string, to: string): void {
  for (const name of readdirSync(from, { encoding: "buffer" })) {
    try {
      renameSync(childOf(from, name), childOf(to, name));
    } catch (thrown) {
      // EXDEV: state and workspace must be on one file system. ENOTEMPTY: the agent still writes.
      refuse("disk", `cannot fill the workspace: ${errorCode(thrown) ?? "unknown"}`);
    }
  }
  rmSync(from, { recursive: true, force: true });
}

function childOf(folder: string, name: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), name]);
}

async function command(argv: readonly [string, ...string[]]): Promise<void> {
  const [file, ...args] = argv;
  const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-1024);
  });
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  if (exit !== 0) refuse("disk", `${file}: ${said}`);
}
