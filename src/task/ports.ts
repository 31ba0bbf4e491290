/**
 * What a request needs from the world, as small interfaces: task/ decides the order and keeps the record, and knows
 * neither HTTP nor octokit nor a container's details. worker/ provides these.
 */
import type { ProgramFault, ProgramRan } from "../answer/program.ts";
import type { CheckPlan, CheckReport } from "../domain/checks.ts";
import type { FileChange, FileSet } from "../domain/file-set.ts";
import type {
  NewPullRequest,
  OpenedPullRequest,
  PinnedCommit,
  PostedComment,
  RepositoryNow,
  ThreadText,
  TreeEntry,
  TreeWrite,
} from "../domain/github.ts";
import type { Result } from "../lib/result.ts";
import type { ModelTurn, TurnRequest } from "../model/anthropic.ts";
import type { ModelFault } from "../model/fault.ts";
import type { PermissionLevel } from "../triggers/permission.ts";

/** Reads. Each throws GitHubError. */
export interface ReadPort {
  repository(): Promise<RepositoryNow>;
  permission(person: { readonly id: number; readonly login: string }): Promise<PermissionLevel>;
  branchHead(branch: string): Promise<PinnedCommit>;
  thread(number: number, asOf: string): Promise<ThreadText>;
  file(path: string, commit: string): Promise<string | undefined>;
  /** The entries of the root folder alone, which are never cut. */
  rootFolder(tree: string): Promise<readonly TreeEntry[]>;
}

/** Writes to the thread. Each throws GitHubError. */
export interface ThreadPort {
  react(to: { comment: number } | { issue: number }, content: "eyes"): Promise<number>;
  comment(number: number, body: string): Promise<PostedComment>;
  /**
   * @param isOurs whether a text is one that we wrote
   * @returns `changed-by-person` where it says something else or is gone, and then it is left alone
   */
  editComment(
    id: number,
    body: string,
    isOurs: (says: string) => Promise<boolean>,
  ): Promise<"edited" | "changed-by-person">;
  findComment(number: number, marker: string, since: string): Promise<PostedComment | undefined>;
}

/** Writes to the repository. Each throws GitHubError. */
export interface CodePort {
  blob(content: string): Promise<string>;
  tree(base: string, entries: readonly TreeWrite[]): Promise<string>;
  commit(message: string, tree: string, parent: string): Promise<string>;
  branch(name: string): Promise<string | undefined>;
  createBranch(name: string, sha: string): Promise<void>;
  openPullRequest(pull: NewPullRequest): Promise<OpenedPullRequest>;
  /** The one whose head is `commit`. */
  findPullRequest(owner: string, head: string, commit: string): Promise<OpenedPullRequest | undefined>;
}

export interface ModelPort {
  turn(request: TurnRequest): Promise<Result<ModelTurn, ModelFault>>;
}

/** Programs run against one commit and time. */
export interface ProgramPort {
  run(code: string, pinned: ProgramPin): Promise<Result<ProgramRan, ProgramFault>>;
}
export type ProgramPin = {
  readonly commit: string;
  readonly tree: string;
  readonly asOf: string;
  readonly thread: number;
};

/** The coding agent in its container. */
export interface CoderPort {
  /** False where the operator has given the Worker no containers. */
  readonly available: boolean;
  /** Durably hand over an order. The same id again changes nothing. */
  submit(operation: string, order: CoderOrder): Promise<void>;
  /** Wait at most `ms` for the operation to settle. */
  wait(operation: string, ms: number): Promise<CoderState>;
  /** What differs from the base commit. */
  export(): Promise<Result<FileSet, { why: string; detail: string }>>;
  /** End the container, whatever it is doing. */
  stop(): Promise<void>;
}
export type CoderOrder = { readonly commit: string; readonly fullName: string; readonly prompt: string };
export type CoderState =
  | { readonly state: "running" }
  | { readonly state: "done"; readonly text: string }
  | { readonly state: "failed"; readonly reason: string };

/** The clean container. */
export interface VerifierPort {
  verify(run: string, order: VerifyOrder): Promise<CheckReport>;
}
export type VerifyOrder = {
  readonly commit: string;
  readonly fullName: string;
  readonly changes: readonly FileChange[];
  readonly plan: CheckPlan;
  readonly secondsPerCommand: number;
};

export type Ports = {
  readonly read: ReadPort;
  readonly thread: ThreadPort;
  readonly code: CodePort;
  readonly model: ModelPort;
  readonly program: ProgramPort;
  readonly coder: CoderPort;
  readonly verifier: VerifierPort;
};
