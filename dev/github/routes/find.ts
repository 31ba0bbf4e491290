/** Records named by a path, or 404. */
import { authoriseThread } from "../http/access.ts";
import type { RepoCall } from "../http/call.ts";
import { Refusal, emptyRepository, notFound } from "../http/refusal.ts";
import type { Commit } from "../git/objects.ts";
import { isPull } from "../state/model.ts";
import type { Comment, Issue, Level, PullIssue, Review, ReviewComment } from "../state/model.ts";

/** The thread `:number`. Issue permission is checked here, once it is known whether it is an issue. */
export function threadOf(call: RepoCall, level: Level): Issue {
  const issue = call.repo.issues.get(call.number("number"));
  if (issue === undefined) throw notFound();
  authoriseThread(call, issue, level);
  return issue;
}

export function pullOf(call: RepoCall): PullIssue {
  const issue = call.repo.issues.get(call.number("number"));
  if (issue === undefined || !isPull(issue)) throw notFound();
  return issue;
}

export function commentOf(call: RepoCall, level: Level): Comment {
  const comment = call.repo.comments.get(call.number("id"));
  if (comment === undefined) throw notFound();
  authoriseThread(call, comment.issue, level);
  return comment;
}

/** A review of pull request `:number`. Somebody else's pending review does not exist. */
export function reviewOf(call: RepoCall): Review {
  const review = call.repo.reviews.get(call.number("review"));
  if (review === undefined || review.issue !== pullOf(call)) throw notFound();
  if (review.state === "PENDING" && review.user.id !== call.author.account.id) throw notFound();
  return review;
}

export function reviewCommentOf(call: RepoCall): ReviewComment {
  const comment = call.repo.reviewComments.get(call.number("id"));
  if (comment === undefined) throw notFound();
  return comment;
}

/** 409 for a repository without branches and tags, as the Git Data and Commits APIs answer. */
export async function requireCommits(call: RepoCall): Promise<void> {
  if (!(await call.repo.git.hasRefs())) throw emptyRepository();
}

/** The commit of ?ref= or the default branch, as the Contents API looks for it. */
export async function commitOfRef(call: RepoCall, ref: string | undefined): Promise<Commit> {
  const commit = await call.repo.git.commitAt(ref ?? call.repo.defaultBranch);
  if (commit !== undefined) return commit;
  if (!(await call.repo.git.hasRefs())) throw new Refusal(404, "This repository is empty.");
  throw new Refusal(404, `No commit found for the ref ${ref ?? call.repo.defaultBranch}`);
}
