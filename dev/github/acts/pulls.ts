/** Opening, changing and merging pull requests. What may be opened is judged here, in GitHub's words. */
import type { Refusal } from "../http/refusal.ts";
import { validationFailed } from "../http/refusal.ts";
import { isPull } from "../state/model.ts";
import type { Account, Author, PullIssue, Repository } from "../state/model.ts";
import { emitThread } from "../webhooks/emit.ts";
import { userShape } from "../shapes/user.ts";
import type { World } from "../world.ts";
import { bringHead, bringObjects, measure } from "./follow.ts";
import { openThread, takeNumber } from "./issues.ts";
import { note } from "./note.ts";

export type NewPull = {
  readonly title: string;
  readonly body: string | null;
  /** `branch` or `owner:branch`. */
  readonly head: string;
  readonly base: string;
  readonly draft: boolean;
  readonly maintainerCanModify: boolean;
};

export async function openPull(
  world: World,
  repo: Repository,
  by: Author,
  wanted: NewPull,
): Promise<PullIssue> {
  const head = findHead(world, repo, wanted.head);
  const headTip = head === undefined ? undefined : await head.repo.git.ref(`refs/heads/${head.ref}`);
  const baseTip = await repo.git.ref(`refs/heads/${wanted.base}`);
  const missing = [
    ...(headTip === undefined ? ["head"] : []),
    ...(baseTip === undefined ? ["base"] : []),
  ].map((field) => ({ resource: "PullRequest", field, code: "invalid" }) as const);
  if (head === undefined || headTip === undefined || baseTip === undefined)
    throw validationFailed(...missing);
  refuseDuplicate(repo, head, wanted.base);
  // With a fork's head nothing can be compared before its objects are here.
  if (head.repo !== repo) await bringObjects(repo, head.repo, headTip.oid);
  const sides = { headSha: headTip.oid, baseSha: baseTip.oid };
  const size = await measure(repo, sides);
  if (size.commits === 0) throw custom(`No commits between ${wanted.base} and ${wanted.head}`);
  // Numbered before the thread is open: whoever hears of it can fetch refs/pull/N/head.
  const number = takeNumber(repo);
  await bringHead(repo, number, head.repo, headTip.oid);
  const issue = openThread(world, repo, by, {
    number,
    title: wanted.title,
    body: wanted.body,
    pull: {
      id: world.ids.next("pull"),
      headRepo: head.repo,
      headRef: head.ref,
      ...sides,
      baseRef: wanted.base,
      draft: wanted.draft,
      mergedAt: null,
      mergedBy: null,
      mergeCommitSha: null,
      requestedReviewers: [],
      size,
      maintainerCanModify: wanted.maintainerCanModify && head.repo !== repo,
    },
  });
  if (!isPull(issue)) throw new Error("a thread opened with a pull has one");
  return issue;
}

type Head = { readonly repo: Repository; readonly ref: string };

/** The head's branch, here or in the fork of the named owner. */
function findHead(world: World, repo: Repository, head: string): Head | undefined {
  const colon = head.indexOf(":");
  if (colon < 0) return { repo, ref: head };
  const owner = head.slice(0, colon).toLowerCase();
  const ref = head.slice(colon + 1);
  if (owner === repo.owner.login.toLowerCase()) return { repo, ref };
  const fork = world.repositories
    .all()
    .find((one) => one.parent === repo && one.owner.login.toLowerCase() === owner);
  return fork === undefined ? undefined : { repo: fork, ref };
}

function refuseDuplicate(repo: Repository, head: Head, base: string): void {
  for (const issue of [...repo.issues.values()].filter(isPull)) {
    const { pull } = issue;
    if (issue.state !== "open" || pull.headRepo !== head.repo) continue;
    if (pull.headRef !== head.ref || pull.baseRef !== base) continue;
    throw custom(`A pull request already exists for ${head.repo.owner.login}:${head.ref}.`);
  }
}

function custom(message: string): Refusal {
  return validationFailed({ resource: "PullRequest", code: "custom", message });
}

/** Points the pull request at another base branch. */
export async function changeBase(
  world: World,
  repo: Repository,
  issue: PullIssue,
  by: Author,
  base: string,
): Promise<void> {
  const { pull } = issue;
  if (base === pull.baseRef) return;
  const tip = await repo.git.ref(`refs/heads/${base}`);
  if (tip === undefined) {
    throw validationFailed({ resource: "PullRequest", field: "base", code: "invalid" });
  }
  refuseDuplicate(repo, { repo: pull.headRepo, ref: pull.headRef }, base);
  const from = { ref: pull.baseRef, sha: pull.baseSha };
  pull.baseRef = base;
  pull.baseSha = tip.oid;
  pull.size = await measure(repo, pull);
  note(world, issue, by, "base_ref_changed");
  const changes = { base: { ref: { from: from.ref }, sha: { from: from.sha } } };
  emitThread(world, repo, issue, by, "edited", { changes });
}

/** Draft or ready. GitHub offers this by GraphQL and its pages only; the control API stands for those. */
export function setDraft(world: World, repo: Repository, issue: PullIssue, by: Author, draft: boolean): void {
  if (issue.pull.draft === draft) return;
  issue.pull.draft = draft;
  note(world, issue, by, draft ? "convert_to_draft" : "ready_for_review");
  emitThread(world, repo, issue, by, draft ? "converted_to_draft" : "ready_for_review");
}

export function requestReview(
  world: World,
  repo: Repository,
  issue: PullIssue,
  by: Author,
  reviewer: Account,
): void {
  if (issue.pull.requestedReviewers.includes(reviewer)) return;
  issue.pull.requestedReviewers.push(reviewer);
  note(world, issue, by, "review_requested");
  const more = { requested_reviewer: userShape(world, reviewer) };
  emitThread(world, repo, issue, by, "review_requested", more);
}

export function withdrawReviewRequest(
  world: World,
  repo: Repository,
  issue: PullIssue,
  by: Author,
  reviewer: Account,
): void {
  const at = issue.pull.requestedReviewers.indexOf(reviewer);
  if (at < 0) return;
  issue.pull.requestedReviewers.splice(at, 1);
  note(world, issue, by, "review_request_removed");
  const more = { requested_reviewer: userShape(world, reviewer) };
  emitThread(world, repo, issue, by, "review_request_removed", more);
}
