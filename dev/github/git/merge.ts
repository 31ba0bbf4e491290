/** Merging without a worktree. */
import type { Commit } from "./objects.ts";
import { commitText } from "./objects.ts";
import { runGit } from "./run.ts";
import type { GitStore } from "./store.ts";

/** The tree of `ours` merged with `theirs`, or undefined when they conflict. */
export async function mergeTrees(store: GitStore, ours: string, theirs: string): Promise<string | undefined> {
  const run = await runGit(store.dir, ["merge-tree", "--write-tree", "--no-messages", ours, theirs]);
  return run.code === 0 ? run.out.toString("latin1").split("\n")[0] : undefined;
}

/** The tree of `onto` with what `commit` changed against its first parent; undefined when it does not apply. */
export async function replay(store: GitStore, onto: Commit, commit: Commit): Promise<string | undefined> {
  const parent = commit.parents[0] === undefined ? undefined : await store.commit(commit.parents[0]);
  const empty = parent === undefined ? await store.writeTree([]) : parent.tree;
  // merge-tree finds its base in history (git 2.39 has no --merge-base), so a small history is made for it.
  const who = commit.committer;
  const stage = (tree: string, parents: readonly string[], message: string) =>
    store.writeCommit(commitText({ tree, parents, author: who, committer: who, message }));
  const base = await stage(empty, [], "base\n");
  return mergeTrees(
    store,
    await stage(onto.tree, [base], "ours\n"),
    await stage(commit.tree, [base], "theirs\n"),
  );
}
