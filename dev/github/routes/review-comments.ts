/** Comments on lines of pull requests. */
import { z } from "zod";
import { placeComments } from "../acts/place-comments.ts";
import { addReviewComment, deleteReviewComment, editReviewComment } from "../acts/reviews.ts";
import { created, noContent, ok } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { moderated } from "../http/access.ts";
import { listReply } from "../http/paging.ts";
import { notFound } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { checkBodyLength } from "../http/validate.ts";
import { isPublic, reviewCommentShape } from "../shapes/pull.ts";
import type { ReviewComment } from "../state/model.ts";
import { pullOf, reviewCommentOf } from "./find.ts";
import { READ_PULLS, WRITE_PULLS } from "./pulls.ts";
import { commitOf } from "./reviews.ts";

const SideWord = z.enum(["LEFT", "RIGHT"]);
const NewComment = z.object({
  body: z.string(),
  commit_id: z.string(),
  path: z.string(),
  position: z.number().int().optional(),
  line: z.number().int().optional(),
  side: SideWord.optional(),
  start_line: z.number().int().optional(),
  start_side: SideWord.optional(),
  subject_type: z.enum(["line", "file"]).optional(),
});
const Answer = z.object({ body: z.string(), in_reply_to: z.number().int() });
const Body = z.object({ body: z.string() });

export const reviewCommentRoutes: readonly RepoRoute[] = [
  inRepo("GET", "/pulls/comments", READ_PULLS, (call) => list(call, [...call.repo.reviewComments.values()])),
  inRepo("GET", "/pulls/:number#/comments", READ_PULLS, (call) => {
    const issue = pullOf(call);
    return list(
      call,
      [...call.repo.reviewComments.values()].filter((comment) => comment.issue === issue),
    );
  }),
  inRepo("POST", "/pulls/:number#/comments", WRITE_PULLS, createComment),
  inRepo("POST", "/pulls/:number#/comments/:id#/replies", WRITE_PULLS, (call) => {
    const parent = reviewCommentOf(call);
    if (parent.issue !== pullOf(call)) throw notFound();
    return reply(call, parent, call.body(Body).body);
  }),
  inRepo("GET", "/pulls/comments/:id#", READ_PULLS, (call) =>
    ok(reviewCommentShape(call.world, call.repo, reviewCommentOf(call))),
  ),
  inRepo("PATCH", "/pulls/comments/:id#", WRITE_PULLS, (call) => {
    const comment = moderated(call, reviewCommentOf(call));
    const { body } = call.body(Body);
    checkBodyLength(body, "PullRequestReviewComment");
    editReviewComment(call.world, call.repo, comment, call.author, body);
    call.wrote("review-comment-edit", comment.id);
    return ok(reviewCommentShape(call.world, call.repo, comment));
  }),
  inRepo("DELETE", "/pulls/comments/:id#", WRITE_PULLS, (call) => {
    deleteReviewComment(call.world, call.repo, moderated(call, reviewCommentOf(call)), call.author);
    return noContent();
  }),
];

async function createComment(call: RepoCall) {
  const issue = pullOf(call);
  const answer = call.body(z.union([Answer, NewComment]));
  if ("in_reply_to" in answer) {
    const parent = call.repo.reviewComments.get(answer.in_reply_to);
    if (parent?.issue !== issue) throw notFound();
    return reply(call, parent, answer.body);
  }
  checkBodyLength(answer.body, "PullRequestReviewComment");
  const commit = await commitOf(call, issue, answer.commit_id);
  const [place] = await placeComments(call.repo, issue, commit, [answer]);
  if (place === undefined) throw new Error("one draft has one place");
  const comment = addReviewComment(
    call.world,
    call.repo,
    issue,
    call.author,
    { ...place, body: answer.body },
    commit,
    null,
  );
  call.wrote("review-comment", comment.id, comment);
  return created(reviewCommentShape(call.world, call.repo, comment));
}

/** Answers stand where their thread's first comment stands. */
function reply(call: RepoCall, parent: ReviewComment, body: string) {
  checkBodyLength(body, "PullRequestReviewComment");
  const first = parent.inReplyTo ?? parent.id;
  const comment = addReviewComment(
    call.world,
    call.repo,
    parent.issue,
    call.author,
    { ...parent, body },
    parent.commitId,
    first,
  );
  call.wrote("review-comment", comment.id, comment);
  return created(reviewCommentShape(call.world, call.repo, comment));
}

function list(call: RepoCall, comments: readonly ReviewComment[]) {
  const since = Date.parse(call.query("since") ?? "");
  const direction = call.query("direction") === "desc" ? -1 : 1;
  const found = comments.filter(
    (comment) => isPublic(comment) && (Number.isNaN(since) || comment.updatedAt >= since),
  );
  found.sort((a, b) => direction * (a.createdAt - b.createdAt || a.id - b.id));
  return listReply(call, found, (comment) => reviewCommentShape(call.world, call.repo, comment));
}
