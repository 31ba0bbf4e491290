/** The public words of the local GitHub: what a caller gives, gets back, and may read for its assertions. */
import type { Role } from "./state/roles.ts";

export interface LocalGitHubOptions {
  /** TCP port on 127.0.0.1; 0 (the default) takes any free one. */
  readonly port?: number;
  /** Folder for the bare repositories; created when missing, never removed. */
  readonly root: string;
  /** Clock in milliseconds since the epoch; Date.now unless a test wants another. */
  readonly now?: () => number;
  readonly app: AppOptions;
  readonly log?: (line: string) => void;
}

/** The one GitHub App this server knows. */
export interface AppOptions {
  readonly id: number;
  readonly clientId: string;
  readonly slug: string;
  readonly name: string;
  /** SPKI or PKCS#1 public key; App JWTs are verified with it. */
  readonly publicKeyPem: string;
  readonly webhookSecret: string;
  readonly webhookUrl?: string;
  readonly permissions: Readonly<Record<string, "read" | "write">>;
  readonly events: readonly string[];
}

export interface NewUser {
  readonly id: number;
  readonly login: string;
  readonly token: string;
}

export interface NewRepository {
  readonly owner: string;
  readonly name: string;
  readonly private?: boolean;
  readonly defaultBranch?: string;
  /** Path to text; undefined makes an empty repository, {} one commit of an empty tree. */
  readonly files?: Readonly<Record<string, string>>;
  readonly description?: string;
  readonly ownerType?: "User" | "Organization";
}

export interface AddedRepository {
  readonly id: number;
  readonly fullName: string;
  readonly installationId: number | undefined;
  readonly head: string | undefined;
}

/** One webhook with every attempt made for it. The last attempt's outcome is repeated at the top. */
export interface Delivery {
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly payload: unknown;
  /** 0 while none was answered: not yet sent, timed out or refused. */
  readonly statusCode: number;
  readonly response: string;
  /** Seconds. */
  readonly duration: number;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryAttempt {
  readonly id: number;
  readonly deliveredAt: string;
  readonly redelivery: boolean;
  readonly status: string;
  readonly statusCode: number;
  readonly duration: number;
  readonly response: string;
}

export interface AuditEntry {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly actor: {
    readonly kind: "app" | "installation" | "user" | "anonymous";
    readonly login: string;
    readonly id: number;
  };
  readonly method: string;
  /** Without /api/v3, without the query. */
  readonly path: string;
  readonly query: string;
  readonly status: number;
  /** What a write made. Present also when the answer to it was lost. */
  readonly created?: { readonly kind: string; readonly id: number | string };
  /** The JSON body of a write. */
  readonly body?: unknown;
  /** True when the caller never saw `status`: the connection was destroyed. */
  readonly lost?: boolean;
}

export interface Fault {
  /** `path` is tried against the path without /api/v3. Left out means: every request. */
  readonly match: { readonly method?: string; readonly path?: RegExp };
  /** How many requests it hits; undefined means all until cleared. */
  readonly times?: number;
  readonly kind: FaultKind;
}

export type FaultKind =
  | {
      readonly kind: "status";
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | { readonly kind: "lost" }
  | { readonly kind: "lost-status"; readonly status: number }
  | { readonly kind: "delay"; readonly ms: number }
  | { readonly kind: "lag"; readonly ms: number }
  | { readonly kind: "primary-limit" }
  | { readonly kind: "secondary-limit"; readonly retryAfter?: number };

export interface ReactionView {
  readonly id: number;
  readonly content: string;
  readonly user: string;
}

export interface CommentView {
  readonly id: number;
  readonly number: number;
  readonly user: string;
  readonly body: string;
  readonly reactions: readonly ReactionView[];
}

export interface IssueView {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly state: "open" | "closed";
  readonly user: string;
  readonly labels: readonly string[];
  readonly assignees: readonly string[];
  readonly reactions: readonly ReactionView[];
  readonly isPullRequest: boolean;
}

export interface PullView {
  readonly id: number;
  readonly number: number;
  readonly title: string;
  readonly body: string | null;
  readonly state: "open" | "closed";
  readonly draft: boolean;
  readonly merged: boolean;
  readonly user: string;
  readonly head: { readonly ref: string; readonly sha: string };
  readonly base: { readonly ref: string; readonly sha: string };
}

export interface ReviewView {
  readonly id: number;
  readonly number: number;
  readonly user: string;
  readonly state: string;
  readonly body: string;
  readonly commitId: string;
}

export interface ReviewCommentView {
  readonly id: number;
  readonly number: number;
  readonly reviewId: number | null;
  readonly user: string;
  readonly path: string;
  readonly line: number | null;
  readonly side: string;
  readonly body: string;
  readonly inReplyTo: number | null;
}

export interface CheckRunView {
  readonly id: number;
  readonly name: string;
  readonly headSha: string;
  readonly status: string;
  readonly conclusion: string | null;
  readonly externalId: string;
  readonly title: string | null;
  readonly summary: string | null;
}

/** Everything a test asserts on in one repository, as plain values. */
export interface RepositoryState {
  readonly id: number;
  readonly fullName: string;
  readonly issues: readonly IssueView[];
  readonly comments: readonly CommentView[];
  readonly pulls: readonly PullView[];
  readonly reviews: readonly ReviewView[];
  readonly reviewComments: readonly ReviewCommentView[];
  readonly checkRuns: readonly CheckRunView[];
  /** Ref name to object id, refs/pull/* included. */
  readonly refs: Readonly<Record<string, string>>;
}

export interface LocalGitHub {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** `url` + /api/v3 */
  readonly apiUrl: string;
  addUser(login: string, options?: { readonly type?: "User" | "Bot" }): NewUser;
  addRepository(repository: NewRepository): Promise<AddedRepository>;
  setPermission(fullName: string, login: string, role: Role): void;
  install(fullNames: readonly string[]): { installationId: number };
  setWebhookUrl(url: string): void;
  deliveries(): readonly Delivery[];
  redeliver(guid: string): Promise<void>;
  idle(): Promise<void>;
  readonly audit: { readonly entries: readonly AuditEntry[]; clear(): void };
  readonly faults: { add(fault: Fault): void; clear(): void };
  state(fullName: string): Promise<RepositoryState>;
  close(): Promise<void>;
}
