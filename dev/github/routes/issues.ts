/** Issues: listed, opened, read, changed, locked, assigned. */
import { z } from "zod";
import {
  assign,
  closeThread,
  editThread,
  openThread,
  reopenThread,
  setLock,
  unassign,
} from "../acts/issues.ts";
import { setLabels } from "../acts/labels.ts";
import { created, noContent, ok } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { mayModerate } from "../http/access.ts";
import { listReply } from "../http/paging.ts";
import { Refusal, validationFailed } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { checkBodyLength } from "../http/validate.ts";
import { commentShape, commentsOf, issueEventShape, issueShape } from "../shapes/issue.ts";
import { userShape } from "../shapes/user.ts";
import type { Account, Issue } from "../state/model.ts";
import { isCollaborator } from "../state/repositories.ts";
import { atLeast } from "../state/roles.ts";
import { threadOf } from "./find.ts";

const LabelName = z.union([z.string(), z.object({ name: z.string() }).transform((label) => label.name)]);
const NewIssue = z.object({
  title: z.union([z.string(), z.number().transform(String)]),
  body: z.string().nullish(),
  labels: z.array(LabelName).optional(),
  assignees: z.array(z.string()).optional(),
});
const IssueEdit = z.object({
  title: z.union([z.string(), z.number().transform(String)]).optional(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]).optional(),
  state_reason: z.enum(["completed", "not_planned", "reopened"]).nullish(),
  labels: z.array(LabelName).optional(),
  assignees: z.array(z.string()).optional(),
});
const Assignees = z.object({ assignees: z.array(z.string()).default([]) });
const Lock = z.object({ lock_reason: z.enum(["off-topic", "too heated", "resolved", "spam"]).optional() });

export const READ_ISSUES = { needs: ["issues:read", "pull_requests:read"], role: "read" } as const;
export const WRITE_ISSUES = { needs: ["issues:write", "pull_requests:write"], role: "read" } as const;
export const TRIAGE_ISSUES = { needs: ["issues:write", "pull_requests:write"], role: "triage" } as const;

export const issueRoutes: readonly RepoRoute[] = [
  inRepo("GET", "/issues", { needs: ["issues:read"], role: "read" }, listIssues),
  inRepo("POST", "/issues", { needs: ["issues:write"], role: "read" }, (call) => {
    const { world, repo, author } = call;
    const order = call.body(NewIssue);
    if (order.title.trim() === "") {
      throw validationFailed({ resource: "Issue", code: "missing_field", field: "title" });
    }
    checkBodyLength(order.body, "Issue");
    // GitHub docs: labels and assignees of people without push access are silently dropped.
    const trusted = author.viaApp || atLeast(call.role, "triage");
    const issue = openThread(world, repo, author, {
      title: order.title,
      body: order.body ?? null,
      labels: trusted ? (order.labels ?? []) : [],
      assignees: trusted ? assigneesOf(call, order.assignees ?? []) : [],
    });
    call.wrote("issue", issue.number, issue);
    return created(issueShape(world, repo, issue));
  }),
  inRepo("GET", "/issues/:number#", READ_ISSUES, (call) =>
    ok(issueShape(call.world, call.repo, threadOf(call, "read"))),
  ),
  inRepo("PATCH", "/issues/:number#", WRITE_ISSUES, editIssue),
  inRepo("PUT", "/issues/:number#/lock", { ...WRITE_ISSUES, role: "write" }, (call) => {
    const reason = call.body(Lock).lock_reason ?? null;
    setLock(call.world, call.repo, threadOf(call, "write"), call.author, true, reason);
    return noContent();
  }),
  inRepo("DELETE", "/issues/:number#/lock", { ...WRITE_ISSUES, role: "write" }, (call) => {
    setLock(call.world, call.repo, threadOf(call, "write"), call.author, false, null);
    return noContent();
  }),
  inRepo("POST", "/issues/:number#/assignees", TRIAGE_ISSUES, (call) => {
    const issue = threadOf(call, "write");
    for (const account of assigneesOf(call, call.body(Assignees).assignees)) {
      assign(call.world, call.repo, issue, call.author, account);
    }
    return created(issueShape(call.world, call.repo, issue));
  }),
  inRepo("DELETE", "/issues/:number#/assignees", TRIAGE_ISSUES, (call) => {
    const issue = threadOf(call, "write");
    for (const account of assigneesOf(call, call.body(Assignees).assignees)) {
      unassign(call.world, call.repo, issue, call.author, account);
    }
    return ok(issueShape(call.world, call.repo, issue));
  }),
  inRepo("GET", "/issues/:number#/timeline", READ_ISSUES, (call) => {
    const issue = threadOf(call, "read");
    const entries = [
      ...issue.events.map((event) => ({
        at: event.createdAt,
        shape: issueEventShape(call.world, call.repo, event),
      })),
      ...commentsOf(call.repo, issue).map((comment) => ({
        at: comment.createdAt,
        shape: {
          event: "commented",
          actor: userShape(call.world, comment.user),
          ...commentShape(call.world, call.repo, comment),
        },
      })),
    ].toSorted((a, b) => a.at - b.at);
    return listReply(call, entries, (entry) => entry.shape);
  }),
  inRepo("GET", "/issues/:number#/events", READ_ISSUES, (call) =>
    listReply(call, threadOf(call, "read").events, (one) => issueEventShape(call.world, call.repo, one)),
  ),
];

function listIssues(call: RepoCall) {
  const { world, repo } = call;
  const state = call.query("state") ?? "open";
  const labels = call.query("labels")?.toLowerCase().split(",") ?? [];
  const since = Date.parse(call.query("since") ?? "");
  const creator = call.query("creator")?.toLowerCase();
  const assignee = call.query("assignee")?.toLowerCase();
  const key = call.query("sort") === "updated" ? "updatedAt" : "createdAt";
  const direction = call.query("direction") === "asc" ? 1 : -1;
  const found = [...repo.issues.values()].filter(
    (issue) =>
      (state === "all" || issue.state === state) &&
      labels.every((name) => issue.labels.some((label) => label.name.toLowerCase() === name.trim())) &&
      (Number.isNaN(since) || issue.updatedAt >= since) &&
      (creator === undefined || issue.user.login.toLowerCase() === creator) &&
      (assignee === undefined || assignee === "*" || isAssigned(issue, assignee)),
  );
  found.sort((a, b) => direction * (a[key] - b[key] || a.number - b.number));
  return listReply(call, found, (issue) => issueShape(world, repo, issue));
}

function isAssigned(issue: Issue, login: string): boolean {
  if (login === "none") return issue.assignees.length === 0;
  return issue.assignees.some((account) => account.login.toLowerCase() === login);
}

function editIssue(call: RepoCall) {
  const { world, repo, author } = call;
  const issue = threadOf(call, "write");
  const edit = call.body(IssueEdit);
  const ownText = mayModerate(call, issue.user.id, "triage");
  if (!ownText) throw new Refusal(403, "Must have admin rights to Repository.");
  checkBodyLength(edit.body, "Issue");
  if (edit.title?.trim() === "") {
    throw validationFailed({ resource: "Issue", code: "missing_field", field: "title" });
  }
  call.wrote("issue-edit", issue.number);
  editThread(world, repo, issue, author, { title: edit.title, body: edit.body });
  const trusted = author.viaApp || atLeast(call.role, "triage");
  if (trusted && edit.labels !== undefined) setLabels(world, repo, issue, author, edit.labels);
  if (trusted && edit.assignees !== undefined) {
    const wanted = assigneesOf(call, edit.assignees);
    const leaving = issue.assignees.filter((account) => !wanted.includes(account));
    for (const account of leaving) unassign(world, repo, issue, author, account);
    for (const account of wanted) assign(world, repo, issue, author, account);
  }
  if (edit.state === "closed") {
    closeThread(
      world,
      repo,
      issue,
      author,
      edit.state_reason === "not_planned" ? "not_planned" : "completed",
    );
  }
  if (edit.state === "open") reopenThread(world, repo, issue, author);
  return ok(issueShape(world, repo, issue));
}

/** GitHub: only collaborators can be assigned; others are silently left out. */
function assigneesOf(call: RepoCall, logins: readonly string[]): Account[] {
  return logins.flatMap((login) => {
    const account = call.world.accounts.find(login);
    return account !== undefined && isCollaborator(call.repo, account) ? [account] : [];
  });
}
