/** Pull requests following their branches: new commits, deleted heads, and merges made by pushing. */
import { diffFiles } from "../git/diff.ts";
import { git } from "../git/run.ts";
import { isPull } from "../state/model.ts";
import type { Author, Pull, PullIssue, PullSize, Repository } from "../state/model.ts";
import { statsOf } from "../shapes/commit.ts";
import { emitThread } from "../webhooks/emit.ts";
import type { World } from "../world.ts";
import { closeLinked } from "./closing.ts";
import { closeThread } from "./issues.ts";
import { note } from "./note.ts";
import type { RefChange } from "./push.ts";

export async function followPulls(
  world: World,
  repo: Repository,
  by: Author,
  change: RefChange,
): Promise<void> {
  const branch = change.ref.replace(/^refs\/heads\//, "");
  // The head may be in this repository or this repository may be a fork of the one the pull request is in.
  for (const target of world.repositories.all()) {
    for (const issue of [...target.issues.values()].filter(isPull)) {
      if (issue.state !== "open" || issue.pull.headRepo !== repo || issue.pull.headRef !== branch) continue;
      if (change.after === null) closeThread(world, target, issue, by);
      else if (change.after !== issue.pull.headSha) await moveHead(world, target, issue, by, change.after);
    }
  }
  if (change.after === null) return;
  for (const issue of [...repo.issues.values()].filter(isPull)) {
    if (issue.state !== "open" || issue.pull.baseRef !== branch) continue;
    if (await repo.git.isAncestor(issue.pull.headSha, change.after)) {
      markMerged(world, repo, issue, by, change.after);
    }
  }
}

async function moveHead(
  world: World,
  repo: Repository,
  issue: PullIssue,
  by: Author,
  after: string,
): Promise<void> {
  const { pull } = issue;
  const before = pull.headSha;
  await bringHead(repo, issue.number, pull.headRepo, after);
  pull.headSha = after;
  pull.baseSha = (await repo.git.ref(`refs/heads/${pull.baseRef}`))?.oid ?? pull.baseSha;
  pull.size = await measure(repo, pull);
  issue.updatedAt = world.now();
  emitThread(world, repo, issue, by, "synchronize", { before, after });
}

/** Copies a commit and all it needs from a fork's repository. */
export async function bringObjects(repo: Repository, from: Repository, sha: string): Promise<void> {
  await git(repo.git.dir, ["fetch", "--quiet", "--no-tags", from.git.dir, sha]);
}

/** Makes the head's objects present in the repository of the pull request, and refs/pull/N/head point at it. */
export async function bringHead(
  repo: Repository,
  number: number,
  headRepo: Repository,
  sha: string,
): Promise<void> {
  if (headRepo !== repo) await bringObjects(repo, headRepo, sha);
  await repo.git.updateRef(`refs/pull/${number}/head`, sha);
}

/** Sizes of what the pull request would merge: commits of base..head, files of mergebase..head. */
export async function measure(repo: Repository, pull: Pick<Pull, "baseSha" | "headSha">): Promise<PullSize> {
  const [commits, from = null] = await Promise.all([
    repo.git.log([pull.headSha, `^${pull.baseSha}`]),
    repo.git.mergeBase(pull.baseSha, pull.headSha),
  ]);
  const files = await diffFiles(repo.git, from, pull.headSha);
  const { additions, deletions } = statsOf(files);
  return { commits: commits.length, additions, deletions, changedFiles: files.length };
}

/** Closes a pull request as merged by `sha`. */
export function markMerged(world: World, repo: Repository, issue: PullIssue, by: Author, sha: string): void {
  issue.pull.mergedAt = world.now();
  issue.pull.mergedBy = by.account;
  issue.pull.mergeCommitSha = sha;
  note(world, issue, by, "merged", { commitId: sha });
  closeThread(world, repo, issue, by);
  closeLinked(world, repo, issue, by);
}
