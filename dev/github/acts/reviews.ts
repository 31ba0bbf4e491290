/** Reviews and review comments: drafted, submitted, answered, dismissed. */
import { Refusal, validationFailed } from "../http/refusal.ts";
import type { Author, PullIssue, Repository, Review, ReviewComment, ReviewState } from "../state/model.ts";
import { pullShape, reviewCommentShape, reviewShape } from "../shapes/pull.ts";
import { emit } from "../webhooks/emit.ts";
import type { World } from "../world.ts";
import type { Placed } from "./place-comments.ts";

const SUBMITTED = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
} as const satisfies Record<string, ReviewState>;
type ReviewEvent = keyof typeof SUBMITTED;

/** GitHub: one pending review per person and pull request. */
export function refuseSecondPending(repo: Repository, issue: PullIssue, by: Author): void {
  for (const review of repo.reviews.values()) {
    if (review.issue !== issue || review.user.id !== by.account.id || review.state !== "PENDING") continue;
    throw new Refusal(422, "Unprocessable Entity", {
      errors: ["User can only have one pending review per pull request"],
    });
  }
}

export function createReview(
  world: World,
  repo: Repository,
  issue: PullIssue,
  by: Author,
  review: {
    readonly commit: string;
    readonly body: string;
    readonly event: ReviewEvent | undefined;
    readonly comments: readonly (Placed & { readonly body: string })[];
  },
): Review {
  const made: Review = {
    id: world.ids.next("review"),
    issue,
    user: by.account,
    viaApp: by.viaApp,
    state: "PENDING",
    body: review.body,
    commitId: review.commit,
    submittedAt: null,
    updatedAt: world.now(),
  };
  repo.reviews.set(made.id, made);
  for (const placed of review.comments) {
    keepComment(world, repo, issue, by, made, review.commit, placed, null);
  }
  if (review.event !== undefined) submitReview(world, repo, made, by, review.event, review.body);
  return made;
}

/** Makes a pending review public. Approving or refusing one's own pull request is 422, as on GitHub. */
export function submitReview(
  world: World,
  repo: Repository,
  review: Review,
  by: Author,
  event: ReviewEvent,
  body: string | undefined,
): void {
  review.state = SUBMITTED[event];
  review.body = body ?? review.body;
  review.submittedAt = world.now();
  review.updatedAt = world.now();
  review.issue.updatedAt = world.now();
  const { pull } = review.issue;
  pull.requestedReviewers = pull.requestedReviewers.filter((one) => one.id !== review.user.id);
  tellReview(world, repo, review, by, "submitted");
  for (const comment of repo.reviewComments.values()) {
    if (comment.review === review) tellComment(world, repo, comment, by, "created");
  }
}

export function judgeEvent(issue: PullIssue, by: Author, event: ReviewEvent | undefined): void {
  if (issue.user.id !== by.account.id || event === undefined || event === "COMMENT") return;
  const what = event === "APPROVE" ? "approve" : "request changes on";
  throw new Refusal(422, "Unprocessable Entity", { errors: [`Can not ${what} your own pull request`] });
}

export function editReview(world: World, repo: Repository, review: Review, by: Author, body: string): void {
  const from = review.body;
  review.body = body;
  review.updatedAt = world.now();
  if (review.state === "PENDING" || from === body) return;
  tellReview(world, repo, review, by, "edited", { changes: { body: { from } } });
}

export function dismissReview(world: World, repo: Repository, review: Review, by: Author): void {
  if (review.state !== "APPROVED" && review.state !== "CHANGES_REQUESTED") {
    throw validationFailed({
      resource: "PullRequestReview",
      code: "custom",
      field: "state",
      message: "Can not dismiss a commented pull request review",
    });
  }
  review.state = "DISMISSED";
  review.updatedAt = world.now();
  tellReview(world, repo, review, by, "dismissed");
}

/** A comment outside a review, which GitHub wraps into a review of its own, or an answer in a thread. */
export function addReviewComment(
  world: World,
  repo: Repository,
  issue: PullIssue,
  by: Author,
  placed: Placed & { readonly body: string },
  commit: string,
  inReplyTo: number | null,
): ReviewComment {
  const at = world.now();
  const review: Review = {
    id: world.ids.next("review"),
    issue,
    user: by.account,
    viaApp: by.viaApp,
    state: "COMMENTED",
    body: "",
    commitId: commit,
    submittedAt: at,
    updatedAt: at,
  };
  repo.reviews.set(review.id, review);
  const comment = keepComment(world, repo, issue, by, review, commit, placed, inReplyTo);
  issue.updatedAt = at;
  tellReview(world, repo, review, by, "submitted");
  tellComment(world, repo, comment, by, "created");
  return comment;
}

function keepComment(
  world: World,
  repo: Repository,
  issue: PullIssue,
  by: Author,
  review: Review,
  commitId: string,
  placed: Placed & { readonly body: string },
  inReplyTo: number | null,
): ReviewComment {
  const at = world.now();
  const { path, diffHunk, line, side, startLine, startSide, position, subjectType, body } = placed;
  const comment: ReviewComment = {
    id: world.ids.next("reviewComment"),
    issue,
    review,
    user: by.account,
    viaApp: by.viaApp,
    commitId,
    inReplyTo,
    path,
    diffHunk,
    line,
    side,
    startLine,
    startSide,
    position,
    subjectType,
    body,
    createdAt: at,
    updatedAt: at,
    reactions: [],
  };
  repo.reviewComments.set(comment.id, comment);
  return comment;
}

export function editReviewComment(
  world: World,
  repo: Repository,
  comment: ReviewComment,
  by: Author,
  body: string,
): void {
  const from = comment.body;
  comment.body = body;
  comment.updatedAt = world.now();
  if (from !== body) tellComment(world, repo, comment, by, "edited", { changes: { body: { from } } });
}

export function deleteReviewComment(
  world: World,
  repo: Repository,
  comment: ReviewComment,
  by: Author,
): void {
  repo.reviewComments.delete(comment.id);
  tellComment(world, repo, comment, by, "deleted");
}

function tellReview(
  world: World,
  repo: Repository,
  review: Review,
  by: Author,
  action: string,
  more: object = {},
): void {
  emit(world, repo, by, "pull_request_review", action, {
    ...more,
    review: reviewShape(world, repo, review, "lower"),
    pull_request: pullShape(world, repo, review.issue),
  });
}

function tellComment(
  world: World,
  repo: Repository,
  comment: ReviewComment,
  by: Author,
  action: string,
  more: object = {},
): void {
  if (comment.review?.state === "PENDING") return;
  emit(world, repo, by, "pull_request_review_comment", action, {
    ...more,
    comment: reviewCommentShape(world, repo, comment),
    pull_request: pullShape(world, repo, comment.issue),
  });
}
