/** Reactions to issues, issue comments and review comments. */
import { z } from "zod";
import { react } from "../acts/comments.ts";
import { noContent } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { listReply } from "../http/paging.ts";
import { Refusal, notFound } from "../http/refusal.ts";
import type { Rule } from "../http/access.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { reactionShape } from "../shapes/reaction.ts";
import { REACTIONS } from "../state/model.ts";
import type { Level, Reaction } from "../state/model.ts";
import { commentOf, reviewCommentOf, threadOf } from "./find.ts";
import { READ_ISSUES, WRITE_ISSUES } from "./issues.ts";

const NewReaction = z.object({ content: z.enum(REACTIONS) });
const READ_PULLS = { needs: ["pull_requests:read"], role: "read" } as const;
const WRITE_PULLS = { needs: ["pull_requests:write"], role: "read" } as const;

export const reactionRoutes: readonly RepoRoute[] = [
  ...on("/issues/:number#", READ_ISSUES, WRITE_ISSUES, (call, level) => threadOf(call, level).reactions),
  ...on(
    "/issues/comments/:id#",
    READ_ISSUES,
    WRITE_ISSUES,
    (call, level) => commentOf(call, level).reactions,
  ),
  ...on("/pulls/comments/:id#", READ_PULLS, WRITE_PULLS, (call) => reviewCommentOf(call).reactions),
];

/** The three reaction endpoints of one kind of thing. */
function on(
  path: string,
  reading: Rule,
  writing: Rule,
  of: (call: RepoCall, level: Level) => Reaction[],
): RepoRoute[] {
  return [
    inRepo("GET", `${path}/reactions`, reading, (call) => {
      const content = call.query("content");
      const found = of(call, "read").filter((one) => content === undefined || one.content === content);
      return listReply(call, found, (one) => reactionShape(call.world, one));
    }),
    inRepo("POST", `${path}/reactions`, writing, (call) => {
      const { content } = call.body(NewReaction);
      const { reaction, isNew } = react(call.world, of(call, "write"), call.author, content);
      if (isNew) call.wrote("reaction", reaction.id, reaction);
      return { status: isNew ? 201 : 200, json: reactionShape(call.world, reaction) };
    }),
    inRepo("DELETE", `${path}/reactions/:reaction#`, writing, (call) => {
      const reactions = of(call, "write");
      const at = reactions.findIndex((one) => one.id === call.number("reaction"));
      const found = reactions[at];
      if (found === undefined) throw notFound();
      if (found.user.id !== call.author.account.id) {
        throw new Refusal(403, "Must have admin rights to Repository.");
      }
      reactions.splice(at, 1);
      return noContent();
    }),
  ];
}
