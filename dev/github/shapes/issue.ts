/** Issues, their comments, labels and events as GitHub's REST and webhooks present them. */
import { nodeId } from "../state/ids.ts";
import type { Comment, Issue, IssueEvent, Label, Repository } from "../state/model.ts";
import type { World } from "../world.ts";
import { appShape } from "./app.ts";
import { associationOf } from "./association.ts";
import { rollup } from "./reaction.ts";
import { repositoryUrl, repositoryWebUrl } from "./repository.ts";
import { iso, isoOrNull } from "./time.ts";
import { userShape } from "./user.ts";

/** GitHub's own default labels; they carry `default: true`. */
const DEFAULT_LABELS = new Set([
  "bug",
  "documentation",
  "duplicate",
  "enhancement",
  "good first issue",
  "help wanted",
  "invalid",
  "question",
  "wontfix",
]);

export function labelShape(world: World, repo: Repository, label: Label) {
  return {
    id: label.id,
    node_id: nodeId("Label", label.id),
    url: `${repositoryUrl(world, repo)}/labels/${encodeURIComponent(label.name)}`,
    name: label.name,
    color: label.color,
    default: DEFAULT_LABELS.has(label.name),
    description: label.description,
  };
}

export function issueUrl(world: World, repo: Repository, issue: Issue): string {
  return `${repositoryUrl(world, repo)}/issues/${issue.number}`;
}

/** A pull request's thread lives under /pull/, also seen as an issue. */
export function threadWebUrl(world: World, repo: Repository, issue: Issue): string {
  return `${repositoryWebUrl(world, repo)}/${issue.pull === undefined ? "issues" : "pull"}/${issue.number}`;
}

export function issueShape(world: World, repo: Repository, issue: Issue) {
  const url = issueUrl(world, repo, issue);
  const web = threadWebUrl(world, repo, issue);
  const assignees = issue.assignees.map((account) => userShape(world, account));
  return {
    url,
    repository_url: repositoryUrl(world, repo),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: web,
    id: issue.id,
    node_id: nodeId(issue.pull === undefined ? "Issue" : "PullRequest", issue.id),
    number: issue.number,
    title: issue.title,
    user: userShape(world, issue.user),
    labels: issue.labels.map((label) => labelShape(world, repo, label)),
    state: issue.state,
    locked: issue.locked,
    assignee: assignees[0] ?? null,
    assignees,
    milestone: null,
    comments: commentsOf(repo, issue).length,
    created_at: iso(issue.createdAt),
    updated_at: iso(issue.updatedAt),
    closed_at: isoOrNull(issue.closedAt),
    author_association: associationOf(repo, issue.user),
    active_lock_reason: issue.lockReason,
    ...(issue.pull === undefined
      ? { type: null }
      : {
          draft: issue.pull.draft,
          pull_request: {
            url: `${repositoryUrl(world, repo)}/pulls/${issue.number}`,
            html_url: web,
            diff_url: `${web}.diff`,
            patch_url: `${web}.patch`,
            merged_at: isoOrNull(issue.pull.mergedAt),
          },
        }),
    body: issue.body,
    closed_by: issue.closedBy === null ? null : userShape(world, issue.closedBy),
    reactions: rollup(url, issue.reactions),
    timeline_url: `${url}/timeline`,
    performed_via_github_app: issue.viaApp ? appShape(world) : null,
    state_reason: issue.stateReason,
  };
}

/** Comments of one thread, oldest first. */
export function commentsOf(repo: Repository, issue: Issue): Comment[] {
  return [...repo.comments.values()].filter((comment) => comment.issue === issue);
}

export function commentShape(world: World, repo: Repository, comment: Comment) {
  const url = `${repositoryUrl(world, repo)}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${threadWebUrl(world, repo, comment.issue)}#issuecomment-${comment.id}`,
    issue_url: issueUrl(world, repo, comment.issue),
    id: comment.id,
    node_id: nodeId("IssueComment", comment.id),
    user: userShape(world, comment.user),
    created_at: iso(comment.createdAt),
    updated_at: iso(comment.updatedAt),
    author_association: associationOf(repo, comment.user),
    body: comment.body,
    reactions: rollup(url, comment.reactions),
    performed_via_github_app: comment.viaApp ? appShape(world) : null,
  };
}

export function issueEventShape(world: World, repo: Repository, event: IssueEvent): object {
  return {
    id: event.id,
    node_id: nodeId("Event", event.id),
    url: `${repositoryUrl(world, repo)}/issues/events/${event.id}`,
    actor: userShape(world, event.actor),
    event: event.event,
    commit_id: event.commitId ?? null,
    commit_url:
      event.commitId === undefined ? null : `${repositoryUrl(world, repo)}/commits/${event.commitId}`,
    created_at: iso(event.createdAt),
    performed_via_github_app: event.viaApp ? appShape(world) : null,
    ...(event.label === undefined ? {} : { label: { name: event.label.name, color: event.label.color } }),
    ...(event.assignee === undefined ? {} : { assignee: userShape(world, event.assignee) }),
    ...(event.rename === undefined ? {} : { rename: event.rename }),
  };
}
