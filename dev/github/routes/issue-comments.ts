/** Comments of issues and of pull request conversations. */
import { z } from "zod";
import { addComment, deleteComment, editComment } from "../acts/comments.ts";
import { created, noContent, ok } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { moderated } from "../http/access.ts";
import { listReply } from "../http/paging.ts";
import { Refusal, validationFailed } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { checkBodyLength } from "../http/validate.ts";
import { commentShape, commentsOf } from "../shapes/issue.ts";
import type { Comment } from "../state/model.ts";
import { atLeast } from "../state/roles.ts";
import { commentOf, threadOf } from "./find.ts";
import { READ_ISSUES, WRITE_ISSUES } from "./issues.ts";

const Body = z.object({ body: z.string() });

export const issueCommentRoutes: readonly RepoRoute[] = [
  inRepo("GET", "/issues/comments", READ_ISSUES, (call) =>
    list(call, [...call.repo.comments.values()], true),
  ),
  inRepo("GET", "/issues/:number#/comments", READ_ISSUES, (call) =>
    list(call, commentsOf(call.repo, threadOf(call, "read")), false),
  ),
  inRepo("POST", "/issues/:number#/comments", WRITE_ISSUES, (call) => {
    const issue = threadOf(call, "write");
    const { body } = call.body(Body);
    checkText(body);
    if (issue.locked && !call.author.viaApp && !atLeast(call.role, "write")) {
      throw new Refusal(403, "Unable to create comment because issue is locked.");
    }
    const comment = addComment(call.world, call.repo, issue, call.author, body);
    call.wrote("comment", comment.id, comment);
    return created(commentShape(call.world, call.repo, comment));
  }),
  inRepo("GET", "/issues/comments/:id#", READ_ISSUES, (call) =>
    ok(commentShape(call.world, call.repo, commentOf(call, "read"))),
  ),
  inRepo("PATCH", "/issues/comments/:id#", WRITE_ISSUES, (call) => {
    const comment = moderated(call, commentOf(call, "write"));
    const { body } = call.body(Body);
    checkText(body);
    editComment(call.world, call.repo, comment, call.author, body);
    call.wrote("comment-edit", comment.id);
    return ok(commentShape(call.world, call.repo, comment));
  }),
  inRepo("DELETE", "/issues/comments/:id#", WRITE_ISSUES, (call) => {
    deleteComment(call.world, call.repo, moderated(call, commentOf(call, "write")), call.author);
    return noContent();
  }),
];

function checkText(body: string): void {
  if (body.trim() === "") {
    throw validationFailed({
      resource: "IssueComment",
      code: "unprocessable",
      field: "data",
      message: "Body cannot be blank",
    });
  }
  checkBodyLength(body, "IssueComment");
}

/** A thread's comments come oldest first; a repository's follow `sort` and `direction`, by default the same. */
function list(call: RepoCall, comments: readonly Comment[], sortable: boolean) {
  const since = Date.parse(call.query("since") ?? "");
  const found = comments.filter((comment) => Number.isNaN(since) || comment.updatedAt >= since);
  const key = sortable && call.query("sort") === "updated" ? "updatedAt" : "createdAt";
  const direction = sortable && call.query("direction") === "desc" ? -1 : 1;
  found.sort((a, b) => direction * (a[key] - b[key] || a.id - b.id));
  return listReply(call, found, (comment) => commentShape(call.world, call.repo, comment));
}
