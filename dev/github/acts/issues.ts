/** Everything that can happen to a thread itself. Each act changes the record, notes an event and tells the App. */
import type { Account, Author, Issue, Pull, Repository } from "../state/model.ts";
import { emitThread } from "../webhooks/emit.ts";
import { userShape } from "../shapes/user.ts";
import type { World } from "../world.ts";
import { addLabels } from "./labels.ts";
import { note } from "./note.ts";

type NewThread = {
  readonly title: string;
  readonly body: string | null;
  readonly labels?: readonly string[];
  readonly assignees?: readonly Account[];
  readonly pull?: Pull;
  /** One taken before by `takeNumber`. */
  readonly number?: number;
};

/** Issues and pull requests of a repository are numbered together, and no number is given twice. */
export function takeNumber(repo: Repository): number {
  const number = repo.nextNumber;
  repo.nextNumber += 1;
  return number;
}

/** Opens an issue, or the thread of a pull request when `pull` is given. Labels come as events of their own. */
export function openThread(world: World, repo: Repository, by: Author, thread: NewThread): Issue {
  const at = world.now();
  const issue: Issue = {
    id: world.ids.next("issue"),
    number: thread.number ?? takeNumber(repo),
    user: by.account,
    viaApp: by.viaApp,
    title: thread.title,
    body: thread.body,
    state: "open",
    stateReason: null,
    labels: [],
    assignees: [],
    locked: false,
    lockReason: null,
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    closedBy: null,
    reactions: [],
    events: [],
    pull: thread.pull,
  };
  repo.issues.set(issue.number, issue);
  emitThread(world, repo, issue, by, "opened");
  if (thread.labels !== undefined) addLabels(world, repo, issue, by, thread.labels);
  for (const account of thread.assignees ?? []) assign(world, repo, issue, by, account);
  return issue;
}

/** Changes title or body; `changes` of the delivery holds what was there before. Nothing changed, nothing sent. */
export function editThread(
  world: World,
  repo: Repository,
  issue: Issue,
  by: Author,
  edit: { readonly title?: string | undefined; readonly body?: string | null | undefined },
): void {
  const changes: Record<string, { from: string }> = {};
  if (edit.title !== undefined && edit.title !== issue.title) {
    changes["title"] = { from: issue.title };
    note(world, issue, by, "renamed", { rename: { from: issue.title, to: edit.title } });
    issue.title = edit.title;
  }
  if (edit.body !== undefined && edit.body !== issue.body) {
    changes["body"] = { from: issue.body ?? "" };
    issue.body = edit.body;
    issue.updatedAt = world.now();
  }
  if (Object.keys(changes).length > 0) emitThread(world, repo, issue, by, "edited", { changes });
}

export function closeThread(
  world: World,
  repo: Repository,
  issue: Issue,
  by: Author,
  reason: "completed" | "not_planned" = "completed",
): void {
  if (issue.state === "closed") return;
  issue.state = "closed";
  issue.stateReason = issue.pull === undefined ? reason : null;
  issue.closedAt = world.now();
  issue.closedBy = by.account;
  note(world, issue, by, "closed");
  emitThread(world, repo, issue, by, "closed");
}

export function reopenThread(world: World, repo: Repository, issue: Issue, by: Author): void {
  if (issue.state === "open") return;
  issue.state = "open";
  issue.stateReason = issue.pull === undefined ? "reopened" : null;
  issue.closedAt = null;
  issue.closedBy = null;
  note(world, issue, by, "reopened");
  emitThread(world, repo, issue, by, "reopened");
}

export function assign(world: World, repo: Repository, issue: Issue, by: Author, account: Account): void {
  if (issue.assignees.includes(account)) return;
  issue.assignees.push(account);
  note(world, issue, by, "assigned", { assignee: account });
  emitThread(world, repo, issue, by, "assigned", { assignee: userShape(world, account) });
}

export function unassign(world: World, repo: Repository, issue: Issue, by: Author, account: Account): void {
  const at = issue.assignees.indexOf(account);
  if (at < 0) return;
  issue.assignees.splice(at, 1);
  note(world, issue, by, "unassigned", { assignee: account });
  emitThread(world, repo, issue, by, "unassigned", { assignee: userShape(world, account) });
}

export function setLock(
  world: World,
  repo: Repository,
  issue: Issue,
  by: Author,
  locked: boolean,
  reason: string | null,
): void {
  if (issue.locked === locked) return;
  issue.locked = locked;
  issue.lockReason = locked ? reason : null;
  note(world, issue, by, locked ? "locked" : "unlocked");
  emitThread(world, repo, issue, by, locked ? "locked" : "unlocked");
}

/** Removes an issue for good, as an administrator can in GitHub's web pages. */
export function deleteIssue(world: World, repo: Repository, issue: Issue, by: Author): void {
  repo.issues.delete(issue.number);
  for (const comment of repo.comments.values()) {
    if (comment.issue === issue) repo.comments.delete(comment.id);
  }
  emitThread(world, repo, issue, by, "deleted");
}
