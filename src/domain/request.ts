/** One thing a person asked for, and how it ended. */
import type { Refusal, RequestKind } from "./decision.ts";
import type { RepoEvent } from "./event.ts";

export type TaskRequest = {
  /** Short, stable, unique within its Task. Part of markers, effect keys and operation ids. */
  readonly id: string;
  readonly kind: RequestKind;
  readonly event: RepoEvent;
  readonly instruction: string;
};

/** Why an accepted request could not be done. Each has a text for people in report/. */
export type FailureWhy =
  | "repository-empty"
  | "repository-gone"
  | "repository-archived"
  | "github-forbidden"
  | "github-refused"
  | "permission-lost"
  | "github-unavailable"
  | "model-overloaded"
  | "model-unavailable"
  | "model-rejected-key"
  | "model-rejected-request"
  | "answer-turn-limit"
  | "answer-empty"
  | "answer-cut-off"
  | "container-unavailable"
  | "container-lost"
  | "checkout-failed"
  | "agent-failed"
  | "agent-timed-out"
  | "agent-changed-nothing"
  | "export-failed"
  | "nothing-publishable"
  | "branch-taken"
  | "pull-request-closed"
  | "publish-refused"
  | "internal";

export type RequestEnd =
  | { readonly state: "refused"; readonly because: Refusal }
  | { readonly state: "answered"; readonly text: string; readonly looked: readonly string[] }
  | {
      readonly state: "opened";
      readonly pullRequest: { readonly number: number; readonly url: string };
      readonly draft: boolean;
      readonly verdict: string;
      readonly files: readonly string[];
      readonly leftOut: number;
      readonly summary: string;
    }
  | { readonly state: "failed"; readonly why: FailureWhy; readonly detail?: string };
