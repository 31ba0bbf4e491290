/** The git folder the agent works with: its own copy, no remote, no way back to ours. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RAW_BYTES } from "./fetch-commit.ts";
import { git, repositoryOf } from "./git.ts";
import type { Places } from "./places.ts";

/** The branch the agent stands on. Only the agent's own git knows it: what is published is named by the Worker. */
const BRANCH = "work";

/**
 * Make `folder`/.git with `commit` checked out on branch `work`. Objects are copied, not linked or borrowed: the
 * files become the agent's, and an alternate would be a path into our state.
 */
export async function makeAgentRepository(places: Places, folder: string, commit: string): Promise<void> {
  const ours = repositoryOf(places);
  const theirs = join(folder, ".git");
  const format = commit.length === 64 ? "sha256" : "sha1";
  await git(places, [
    "init",
    "--quiet",
    "--template=",
    `--initial-branch=${BRANCH}`,
    `--object-format=${format}`,
    folder,
  ]);
  const packs = join("objects", "pack");
  for (const name of readdirSync(join(ours, packs))) {
    if (/\.(?:pack|idx|rev)$/.test(name)) copyFileSync(join(ours, packs, name), join(theirs, packs, name));
  }
  if (existsSync(join(ours, "shallow"))) copyFileSync(join(ours, "shallow"), join(theirs, "shallow"));
  mkdirSync(join(theirs, "info"), { recursive: true });
  writeFileSync(join(theirs, "info", "attributes"), `${RAW_BYTES}\n`);
  const here = [`--git-dir=${theirs}`, `--work-tree=${folder}`];
  await git(places, [...here, "config", "user.name", "patchwright agent"]);
  await git(places, [...here, "config", "user.email", "agent@patchwright.invalid"]);
  await git(places, [...here, "update-ref", `refs/heads/${BRANCH}`, commit]);
  await git(places, [...here, "read-tree", commit]);
}
