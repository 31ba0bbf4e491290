/** A repository as plain values for assertions. */
import { isPull } from "./model.ts";
import { repositoryName } from "./model.ts";
import type { Reaction, Repository } from "./model.ts";
import type { ReactionView, RepositoryState } from "../options.ts";

export async function viewOf(repo: Repository): Promise<RepositoryState> {
  const issues = [...repo.issues.values()];
  return {
    id: repo.id,
    fullName: repositoryName(repo),
    issues: issues.map((issue) => ({
      id: issue.id,
      number: issue.number,
      title: issue.title,
      body: issue.body,
      state: issue.state,
      user: issue.user.login,
      labels: issue.labels.map((label) => label.name),
      assignees: issue.assignees.map((account) => account.login),
      reactions: issue.reactions.map(reactionView),
      isPullRequest: issue.pull !== undefined,
    })),
    comments: [...repo.comments.values()].map((comment) => ({
      id: comment.id,
      number: comment.issue.number,
      user: comment.user.login,
      body: comment.body,
      reactions: comment.reactions.map(reactionView),
    })),
    pulls: issues.filter(isPull).map((issue) => ({
      id: issue.pull.id,
      number: issue.number,
      title: issue.title,
      body: issue.body,
      state: issue.state,
      draft: issue.pull.draft,
      merged: issue.pull.mergedAt !== null,
      user: issue.user.login,
      head: { ref: issue.pull.headRef, sha: issue.pull.headSha },
      base: { ref: issue.pull.baseRef, sha: issue.pull.baseSha },
    })),
    reviews: [...repo.reviews.values()].map((review) => ({
      id: review.id,
      number: review.issue.number,
      user: review.user.login,
      state: review.state,
      body: review.body,
      commitId: review.commitId,
    })),
    reviewComments: [...repo.reviewComments.values()].map((comment) => ({
      id: comment.id,
      number: comment.issue.number,
      reviewId: comment.review?.id ?? null,
      user: comment.user.login,
      path: comment.path,
      line: comment.line,
      side: comment.side,
      body: comment.body,
      inReplyTo: comment.inReplyTo,
    })),
    checkRuns: [...repo.checkRuns.values()].map((run) => ({
      id: run.id,
      name: run.name,
      headSha: run.headSha,
      status: run.status,
      conclusion: run.conclusion,
      externalId: run.externalId,
      title: run.title,
      summary: run.summary,
    })),
    refs: Object.fromEntries((await repo.git.refs()).map((ref) => [ref.name, ref.oid])),
  };
}

function reactionView(reaction: Reaction): ReactionView {
  return { id: reaction.id, content: reaction.content, user: reaction.user.login };
}
