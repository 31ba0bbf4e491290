/** Comments in threads, and reactions to anything. */
import type { Author, Comment, Issue, Reaction, ReactionContent, Repository } from "../state/model.ts";
import { emit } from "../webhooks/emit.ts";
import { commentShape, issueShape } from "../shapes/issue.ts";
import type { World } from "../world.ts";

export function addComment(world: World, repo: Repository, issue: Issue, by: Author, body: string): Comment {
  const at = world.now();
  const comment: Comment = {
    id: world.ids.next("comment"),
    issue,
    user: by.account,
    viaApp: by.viaApp,
    body,
    createdAt: at,
    updatedAt: at,
    reactions: [],
  };
  repo.comments.set(comment.id, comment);
  issue.updatedAt = at;
  tell(world, repo, comment, by, "created");
  return comment;
}

export function editComment(
  world: World,
  repo: Repository,
  comment: Comment,
  by: Author,
  body: string,
): void {
  const from = comment.body;
  comment.body = body;
  comment.updatedAt = world.now();
  if (from !== body) tell(world, repo, comment, by, "edited", { changes: { body: { from } } });
}

export function deleteComment(world: World, repo: Repository, comment: Comment, by: Author): void {
  repo.comments.delete(comment.id);
  tell(world, repo, comment, by, "deleted");
}

function tell(
  world: World,
  repo: Repository,
  comment: Comment,
  by: Author,
  action: string,
  more: object = {},
): void {
  emit(world, repo, by, "issue_comment", action, {
    ...more,
    issue: issueShape(world, repo, comment.issue),
    comment: commentShape(world, repo, comment),
  });
}

/** GitHub: one reaction of a kind per account; asking again answers the first with 200. Reactions send no event. */
export function react(
  world: World,
  reactions: Reaction[],
  by: Author,
  content: ReactionContent,
): { readonly reaction: Reaction; readonly isNew: boolean } {
  const found = reactions.find((one) => one.user.id === by.account.id && one.content === content);
  if (found !== undefined) return { reaction: found, isNew: false };
  const reaction: Reaction = {
    id: world.ids.next("reaction"),
    user: by.account,
    content,
    createdAt: world.now(),
  };
  reactions.push(reaction);
  return { reaction, isNew: true };
}
