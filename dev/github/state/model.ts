/**
 * The records of the local GitHub, as plain mutable data. Acts change them, shapes present them, routes do neither.
 * Times are milliseconds since the epoch; `null` is what GitHub's JSON shows as null.
 */
import type { Commit } from "../git/objects.ts";
import type { GitStore } from "../git/store.ts";
import type { Role } from "./roles.ts";

export type Account = {
  readonly id: number;
  login: string;
  readonly type: "User" | "Organization" | "Bot";
  readonly createdAt: number;
};

export type Label = { readonly id: number; name: string; color: string; description: string | null };

export const REACTIONS = ["+1", "-1", "laugh", "confused", "heart", "hooray", "rocket", "eyes"] as const;
export type ReactionContent = (typeof REACTIONS)[number];
export type Reaction = {
  readonly id: number;
  readonly user: Account;
  readonly content: ReactionContent;
  readonly createdAt: number;
};

export type IssueEvent = {
  readonly id: number;
  readonly event: string;
  readonly actor: Account;
  readonly createdAt: number;
  readonly viaApp: boolean;
  readonly label?: Label;
  readonly assignee?: Account;
  readonly rename?: { readonly from: string; readonly to: string };
  readonly commitId?: string;
};

export type Issue = {
  readonly id: number;
  readonly number: number;
  readonly user: Account;
  readonly viaApp: boolean;
  title: string;
  body: string | null;
  state: "open" | "closed";
  stateReason: "completed" | "not_planned" | "reopened" | null;
  labels: Label[];
  assignees: Account[];
  locked: boolean;
  lockReason: string | null;
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  closedBy: Account | null;
  readonly reactions: Reaction[];
  readonly events: IssueEvent[];
  /** Present when the thread is a pull request. */
  readonly pull: Pull | undefined;
};

export type Comment = {
  readonly id: number;
  readonly issue: Issue;
  readonly user: Account;
  readonly viaApp: boolean;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
  readonly reactions: Reaction[];
};

export type Pull = {
  readonly id: number;
  readonly headRepo: Repository;
  readonly headRef: string;
  headSha: string;
  baseRef: string;
  baseSha: string;
  draft: boolean;
  mergedAt: number | null;
  mergedBy: Account | null;
  mergeCommitSha: string | null;
  requestedReviewers: Account[];
  /** Sizes of base...head, counted when either side moves. */
  size: PullSize;
  readonly maintainerCanModify: boolean;
};

export type PullSize = {
  readonly commits: number;
  readonly additions: number;
  readonly deletions: number;
  readonly changedFiles: number;
};

/** An issue known to be a pull request. */
export type PullIssue = Issue & { readonly pull: Pull };

export type ReviewState = "PENDING" | "COMMENTED" | "APPROVED" | "CHANGES_REQUESTED" | "DISMISSED";
export type Review = {
  readonly id: number;
  readonly issue: PullIssue;
  readonly user: Account;
  readonly viaApp: boolean;
  state: ReviewState;
  body: string;
  readonly commitId: string;
  submittedAt: number | null;
  updatedAt: number;
};

export type Side = "LEFT" | "RIGHT";
export type ReviewComment = {
  readonly id: number;
  readonly issue: PullIssue;
  readonly review: Review | null;
  readonly user: Account;
  readonly viaApp: boolean;
  body: string;
  readonly path: string;
  readonly commitId: string;
  readonly diffHunk: string;
  readonly line: number | null;
  readonly side: Side;
  readonly startLine: number | null;
  readonly startSide: Side | null;
  readonly position: number | null;
  readonly subjectType: "line" | "file";
  readonly inReplyTo: number | null;
  readonly createdAt: number;
  updatedAt: number;
  readonly reactions: Reaction[];
};

type Annotation = {
  readonly path: string;
  readonly start_line: number;
  readonly end_line: number;
  readonly annotation_level: "notice" | "warning" | "failure";
  readonly message: string;
  readonly title: string | null;
  readonly raw_details: string | null;
  readonly start_column: number | null;
  readonly end_column: number | null;
};

type CheckStatus = "queued" | "in_progress" | "completed";
export type CheckSuite = {
  readonly id: number;
  readonly head: Commit;
  readonly headBranch: string | null;
  readonly before: string | null;
  readonly createdAt: number;
  updatedAt: number;
};

export type CheckRun = {
  readonly id: number;
  readonly suite: CheckSuite;
  name: string;
  readonly headSha: string;
  status: CheckStatus;
  conclusion: string | null;
  startedAt: number | null;
  completedAt: number | null;
  externalId: string;
  detailsUrl: string | null;
  title: string | null;
  summary: string | null;
  text: string | null;
  annotations: Annotation[];
  actions: readonly { readonly label: string; readonly description: string; readonly identifier: string }[];
};

export type CommitStatus = {
  readonly id: number;
  readonly sha: string;
  readonly state: "error" | "failure" | "pending" | "success";
  readonly context: string;
  readonly description: string | null;
  readonly targetUrl: string | null;
  readonly creator: Account;
  readonly createdAt: number;
};

export type Repository = {
  readonly id: number;
  readonly owner: Account;
  name: string;
  private: boolean;
  description: string | null;
  defaultBranch: string;
  archived: boolean;
  topics: string[];
  readonly parent: Repository | undefined;
  readonly createdAt: number;
  updatedAt: number;
  pushedAt: number;
  nextNumber: number;
  /** Login in lower case to role. The owner and the public's read are not listed here. */
  readonly roles: Map<string, Role>;
  /** Name in lower case to label. */
  readonly labels: Map<string, Label>;
  readonly issues: Map<number, Issue>;
  readonly comments: Map<number, Comment>;
  readonly reviews: Map<number, Review>;
  readonly reviewComments: Map<number, ReviewComment>;
  readonly checkSuites: Map<number, CheckSuite>;
  readonly checkRuns: Map<number, CheckRun>;
  readonly statuses: CommitStatus[];
  readonly git: GitStore;
};

export type Installation = {
  readonly id: number;
  readonly account: Account;
  readonly repositoryIds: Set<number>;
  readonly createdAt: number;
  updatedAt: number;
  suspendedAt: number | null;
};

export type Level = "read" | "write";
export type Grants = Readonly<Record<string, Level>>;

export type InstallationToken = {
  readonly token: string;
  readonly installation: Installation;
  readonly grants: Grants;
  /** undefined: every repository of the installation, as it is at the time of the call. */
  readonly repositoryIds: ReadonlySet<number> | undefined;
  readonly expiresAt: number;
};

/** Who makes a request. */
export type Actor =
  | { readonly kind: "anonymous" }
  | { readonly kind: "app" }
  | { readonly kind: "user"; readonly account: Account }
  | { readonly kind: "installation"; readonly token: InstallationToken; readonly account: Account };

/** Who made a change: an account, and whether through the App. */
export type Author = { readonly account: Account; readonly viaApp: boolean };

export function repositoryName(repo: Repository): string {
  return `${repo.owner.login}/${repo.name}`;
}

export function isPull(issue: Issue): issue is PullIssue {
  return issue.pull !== undefined;
}
