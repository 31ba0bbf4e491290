/** Reviews of pull requests. */
import { z } from "zod";
import { placeComments } from "../acts/place-comments.ts";
import {
  createReview,
  dismissReview,
  editReview,
  judgeEvent,
  refuseSecondPending,
  submitReview,
} from "../acts/reviews.ts";
import { ok } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { listReply } from "../http/paging.ts";
import { Refusal, unprocessable } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { checkBodyLength } from "../http/validate.ts";
import { reviewCommentShape, reviewShape } from "../shapes/pull.ts";
import type { PullIssue } from "../state/model.ts";
import { pullOf, reviewOf } from "./find.ts";
import { READ_PULLS, WRITE_PULLS } from "./pulls.ts";

const Event = z.enum(["APPROVE", "REQUEST_CHANGES", "COMMENT"]);
const SideWord = z.enum(["LEFT", "RIGHT"]);
const Draft = z.object({
  path: z.string(),
  body: z.string(),
  position: z.number().int().optional(),
  line: z.number().int().optional(),
  side: SideWord.optional(),
  start_line: z.number().int().optional(),
  start_side: SideWord.optional(),
});
const NewReview = z.object({
  commit_id: z.string().optional(),
  body: z.string().nullish(),
  event: Event.optional(),
  comments: z.array(Draft).default([]),
});
const Submission = z.object({ event: Event, body: z.string().optional() });
const BodyOnly = z.object({ body: z.string() });
const Dismissal = z.object({ message: z.string() });

export const reviewRoutes: readonly RepoRoute[] = [
  inRepo("GET", "/pulls/:number#/reviews", READ_PULLS, (call) => {
    const issue = pullOf(call);
    const me = call.actor.kind === "user" || call.actor.kind === "installation" ? call.actor.account.id : 0;
    const found = [...call.repo.reviews.values()].filter(
      (review) => review.issue === issue && (review.state !== "PENDING" || review.user.id === me),
    );
    return listReply(call, found, (review) => reviewShape(call.world, call.repo, review));
  }),
  inRepo("POST", "/pulls/:number#/reviews", WRITE_PULLS, postReview),
  inRepo("GET", "/pulls/:number#/reviews/:review#", READ_PULLS, (call) =>
    ok(reviewShape(call.world, call.repo, reviewOf(call))),
  ),
  inRepo("PUT", "/pulls/:number#/reviews/:review#", WRITE_PULLS, (call) => {
    const review = reviewOf(call);
    const { body } = call.body(BodyOnly);
    if (review.user.id !== call.author.account.id)
      throw new Refusal(403, "Must have admin rights to Repository.");
    checkBodyLength(body, "PullRequestReview");
    editReview(call.world, call.repo, review, call.author, body);
    call.wrote("review-edit", review.id);
    return ok(reviewShape(call.world, call.repo, review));
  }),
  inRepo("DELETE", "/pulls/:number#/reviews/:review#", WRITE_PULLS, (call) => {
    const review = reviewOf(call);
    if (review.state !== "PENDING") throw unprocessable("Can not delete a non-pending pull request review");
    call.repo.reviews.delete(review.id);
    for (const comment of call.repo.reviewComments.values()) {
      if (comment.review === review) call.repo.reviewComments.delete(comment.id);
    }
    return ok(reviewShape(call.world, call.repo, review));
  }),
  inRepo("POST", "/pulls/:number#/reviews/:review#/events", WRITE_PULLS, (call) => {
    const review = reviewOf(call);
    const { event, body } = call.body(Submission);
    if (review.state !== "PENDING") throw unprocessable("Can not submit a review that is not pending");
    judgeEvent(review.issue, call.author, event);
    requireBody(event, body ?? review.body, hasComments(call, review.id));
    submitReview(call.world, call.repo, review, call.author, event, body);
    call.wrote("review-submission", review.id);
    return ok(reviewShape(call.world, call.repo, review));
  }),
  inRepo("PUT", "/pulls/:number#/reviews/:review#/dismissals", { ...WRITE_PULLS, role: "write" }, (call) => {
    const review = reviewOf(call);
    call.body(Dismissal);
    dismissReview(call.world, call.repo, review, call.author);
    return ok(reviewShape(call.world, call.repo, review));
  }),
  inRepo("GET", "/pulls/:number#/reviews/:review#/comments", READ_PULLS, (call) => {
    const review = reviewOf(call);
    const found = [...call.repo.reviewComments.values()].filter((comment) => comment.review === review);
    return listReply(call, found, (comment) => reviewCommentShape(call.world, call.repo, comment));
  }),
];

async function postReview(call: RepoCall) {
  const issue: PullIssue = pullOf(call);
  const order = call.body(NewReview);
  const body = order.body ?? "";
  checkBodyLength(body, "PullRequestReview");
  for (const draft of order.comments) checkBodyLength(draft.body, "PullRequestReviewComment");
  judgeEvent(issue, call.author, order.event);
  requireBody(order.event, body, order.comments.length > 0);
  const commit = await commitOf(call, issue, order.commit_id);
  const placed = await placeComments(call.repo, issue, commit, order.comments);
  // After the last wait: two requests side by side must not both find none.
  refuseSecondPending(call.repo, issue, call.author);
  const comments = placed.map((place, at) => Object.assign(place, { body: order.comments[at]?.body ?? "" }));
  const review = createReview(call.world, call.repo, issue, call.author, {
    commit,
    body,
    event: order.event,
    comments,
  });
  call.wrote("review", review.id, review);
  return ok(reviewShape(call.world, call.repo, review));
}

/** The commit a review is of: the head, or an earlier one of this pull request. */
export async function commitOf(call: RepoCall, issue: PullIssue, named: string | undefined): Promise<string> {
  const { pull } = issue;
  if (named === undefined || named === pull.headSha) return pull.headSha;
  const known = (await call.repo.git.commit(named)) !== undefined;
  if (known && (await call.repo.git.isAncestor(named, pull.headSha))) return named;
  throw new Refusal(422, "Unprocessable Entity", { errors: ["Commit is not part of the pull request"] });
}

/** GitHub docs: a body is required for REQUEST_CHANGES and COMMENT; inline comments stand for it in the latter. */
function requireBody(event: z.output<typeof Event> | undefined, body: string, commented: boolean): void {
  if (body.trim() !== "" || event === undefined || event === "APPROVE") return;
  if (event === "COMMENT" && commented) return;
  throw new Refusal(422, "Unprocessable Entity", { errors: ["Body can't be blank"] });
}

function hasComments(call: RepoCall, review: number): boolean {
  return [...call.repo.reviewComments.values()].some((comment) => comment.review?.id === review);
}
