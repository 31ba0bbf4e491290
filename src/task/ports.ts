/**
 * What a request needs from the world, as small interfaces: task/ decides the order and keeps the record, and knows
 * neither HTTP nor octokit nor a container's details. worker/ provides these.
 */
import type { Tool, MessageParam } from "@anthropic-ai/sdk/resources/messages";
import type { ProgramFault, ProgramRan } from "../answer/program.ts";
import type { CheckPlan, CheckReport } from "../domain/checks.ts";
import type { FileChange, FileSet } from "../domain/file-set.ts";
import type { PinnedCommit, RepositoryNow, ThreadText, TreeEntry } from "../domain/github.ts";
import type { Result } from "../lib/result.ts";
import type { ModelTurn } from "../model/anthropic.ts";
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
  comment(number: number, body: string): Promise<{ id: number; url: string }>;
  /**
   * @param isOurs whether a text is one that we wrote
   * @returns `changed-by-person` where it says something else or is gone, and then it is left alone
   */
  editComment(
    id: number,
    body: string,
    isOurs: (says: string) => Promise<boolean>,
  ): Promise<"edited" | "changed-by-person">;
  findComment(
    number: number,
    marker: string,
    since: string,
  ): Promise<{ id: number; url: string } | undefined>;
}

/** One path of a new tree: text as it is, other bytes by their blob, `sha: null` for a deletion. */
export type TreeWrite = { readonly path: string; readonly mode: string; readonly type: "blob" } & (
  | { readonly sha: string | null }
  | { readonly content: string }
);

/** Writes to the repository. Each throws GitHubError. */
export interface CodePort {
  blob(content: string): Promise<string>;
  tree(base: string, entries: readonly TreeWrite[]): Promise<string>;
  commit(message: string, tree: string, parent: string): Promise<string>;
  branch(name: string): Promise<string | undefined>;
  createBranch(name: string, sha: string): Promise<void>;
  openPullRequest(pull: {
    title: string;
    body: string;
    head: string;
    base: string;
    draft: boolean;
  }): Promise<OpenedPull>;
  /** The one whose head is `commit`. */
  findPullRequest(owner: string, head: string, commit: string): Promise<OpenedPull | undefined>;
}
export type OpenedPull = {
  readonly number: number;
  readonly url: string;
  readonly state: "open" | "closed";
  readonly draft: boolean;
  readonly head: string;
};

export interface ModelPort {
  turn(request: {
    system: string;
    messages: readonly MessageParam[];
    tools: readonly Tool[];
    maxTokens: number;
    signal: AbortSignal;
  }): Promise<Result<ModelTurn, ModelFault>>;
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
