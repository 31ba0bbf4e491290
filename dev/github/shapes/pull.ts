/** Pull requests, reviews and review comments as GitHub's REST and webhooks present them. */
import { nodeId } from "../state/ids.ts";
import type { PullIssue, Repository, Review, ReviewComment } from "../state/model.ts";
import type { World } from "../world.ts";
import { associationOf } from "./association.ts";
import { commentsOf, issueUrl, labelShape, threadWebUrl } from "./issue.ts";
import { rollup } from "./reaction.ts";
import { repositoryShape, repositoryUrl } from "./repository.ts";
import { iso, isoOrNull } from "./time.ts";
import { userShape } from "./user.ts";

export function pullUrl(world: World, repo: Repository, issue: PullIssue): string {
  return `${repositoryUrl(world, repo)}/pulls/${issue.number}`;
}

/** `pull-request-simple`: lists. */
export function pullShape(world: World, repo: Repository, issue: PullIssue) {
  const { pull } = issue;
  const url = pullUrl(world, repo, issue);
  const web = threadWebUrl(world, repo, issue);
  const thread = issueUrl(world, repo, issue);
  const statuses = `${repositoryUrl(world, repo)}/statuses/${pull.headSha}`;
  const assignees = issue.assignees.map((account) => userShape(world, account));
  const side = (of: Repository, ref: string, sha: string) => ({
    label: `${of.owner.login}:${ref}`,
    ref,
    sha,
    user: userShape(world, of.owner),
    repo: repositoryShape(world, of),
  });
  const links = {
    self: url,
    html: web,
    issue: thread,
    comments: `${thread}/comments`,
    review_comments: `${url}/comments`,
    review_comment: `${repositoryUrl(world, repo)}/pulls/comments{/number}`,
    commits: `${url}/commits`,
    statuses,
  };
  return {
    url,
    id: pull.id,
    node_id: nodeId("PullRequest", pull.id),
    html_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    issue_url: thread,
    number: issue.number,
    state: issue.state,
    locked: issue.locked,
    title: issue.title,
    user: userShape(world, issue.user),
    body: issue.body,
    created_at: iso(issue.createdAt),
    updated_at: iso(issue.updatedAt),
    closed_at: isoOrNull(issue.closedAt),
    merged_at: isoOrNull(pull.mergedAt),
    merge_commit_sha: pull.mergeCommitSha,
    assignee: assignees[0] ?? null,
    assignees,
    requested_reviewers: pull.requestedReviewers.map((account) => userShape(world, account)),
    requested_teams: [],
    labels: issue.labels.map((label) => labelShape(world, repo, label)),
    milestone: null,
    draft: pull.draft,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: statuses,
    head: side(pull.headRepo, pull.headRef, pull.headSha),
    base: side(repo, pull.baseRef, pull.baseSha),
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
    author_association: associationOf(repo, issue.user),
    auto_merge: null,
    active_lock_reason: issue.lockReason,
  };
}

/**
 * `pull-request`: GET /repos/{owner}/{repo}/pulls/{number} and webhooks. `mergeable` null means: not computed yet,
 * as webhooks of a fresh head always say.
 */
export function fullPullShape(world: World, repo: Repository, issue: PullIssue, mergeable: boolean | null) {
  const { pull } = issue;
  return {
    ...pullShape(world, repo, issue),
    merged: pull.mergedAt !== null,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: mergeableState(issue, mergeable),
    merged_by: pull.mergedBy === null ? null : userShape(world, pull.mergedBy),
    comments: commentsOf(repo, issue).length,
    review_comments: [...repo.reviewComments.values()].filter((one) => one.issue === issue && isPublic(one))
      .length,
    maintainer_can_modify: pull.maintainerCanModify,
    commits: pull.size.commits,
    additions: pull.size.additions,
    deletions: pull.size.deletions,
    changed_files: pull.size.changedFiles,
  };
}

function mergeableState(issue: PullIssue, mergeable: boolean | null): string {
  if (mergeable === null || issue.state === "closed") return "unknown";
  if (!mergeable) return "dirty";
  return issue.pull.draft ? "draft" : "clean";
}

/** Comments of a pending review are seen by nobody but its author, through the review. */
export function isPublic(comment: ReviewComment): boolean {
  return comment.review?.state !== "PENDING";
}

/** `case`: REST answers states in capitals, webhooks in small letters. */
export function reviewShape(
  world: World,
  repo: Repository,
  review: Review,
  letters: "upper" | "lower" = "upper",
) {
  const web = `${threadWebUrl(world, repo, review.issue)}#pullrequestreview-${review.id}`;
  const pull = pullUrl(world, repo, review.issue);
  return {
    id: review.id,
    node_id: nodeId("Review", review.id),
    user: userShape(world, review.user),
    body: letters === "lower" && review.body === "" ? null : review.body,
    state: letters === "lower" ? review.state.toLowerCase() : review.state,
    html_url: web,
    pull_request_url: pull,
    author_association: associationOf(repo, review.user),
    _links: { html: { href: web }, pull_request: { href: pull } },
    ...(review.submittedAt === null ? {} : { submitted_at: iso(review.submittedAt) }),
    ...(letters === "lower" ? { updated_at: iso(review.updatedAt) } : {}),
    commit_id: review.commitId,
  };
}

export function reviewCommentShape(world: World, repo: Repository, comment: ReviewComment) {
  const url = `${repositoryUrl(world, repo)}/pulls/comments/${comment.id}`;
  const web = `${threadWebUrl(world, repo, comment.issue)}#discussion_r${comment.id}`;
  const pull = pullUrl(world, repo, comment.issue);
  return {
    url,
    pull_request_review_id: comment.review?.id ?? null,
    id: comment.id,
    node_id: nodeId("ReviewComment", comment.id),
    diff_hunk: comment.diffHunk,
    path: comment.path,
    commit_id: comment.commitId,
    original_commit_id: comment.commitId,
    user: userShape(world, comment.user),
    body: comment.body,
    created_at: iso(comment.createdAt),
    updated_at: iso(comment.updatedAt),
    html_url: web,
    pull_request_url: pull,
    author_association: associationOf(repo, comment.user),
    _links: { self: { href: url }, html: { href: web }, pull_request: { href: pull } },
    reactions: rollup(url, comment.reactions),
    start_line: comment.startLine,
    original_start_line: comment.startLine,
    start_side: comment.startSide,
    line: comment.line,
    original_line: comment.line,
    side: comment.side,
    position: comment.position,
    original_position: comment.position,
    subject_type: comment.subjectType,
    ...(comment.inReplyTo === null ? {} : { in_reply_to_id: comment.inReplyTo }),
  };
}
