/**
 * The words the Worker and the programs in the container share. Both sides import this file: the image is built
 * from the same commit as the Worker, so there is one definition and no version to negotiate.
 *
 * In the image everything of ours is root-owned under /opt/patchwright and its state under /var/lib/patchwright;
 * the agent works in /workspace as an unprivileged user and can write neither.
 */
import type { ExportLimits, FileChange, FileSet } from "./file-set.ts";

/** The tool's path in the image. The first word of every `exec`, the second is the subcommand. */
export const TOOL = "/opt/patchwright/bin/tool";

/** Where the agent works, and the only folder whose files are exported. */
export const WORKSPACE = "/workspace";

/** Plain-http virtual hosts. Requests to them leave the container only as far as Egress, which talks https. */
export const MODEL_HOST = "model.internal";
export const GIT_HOST = "git.internal";

/** What to check out. `url` is always on GIT_HOST and holds no credential; `commit` is a full object id. */
export type Checkout = {
  readonly url: string;
  readonly commit: string;
  /** Commits of history the agent may look at. */
  readonly depth: number;
};

/**
 * The text of one harness operation, as JSON: what must be in /workspace before the agent starts, then the prompt.
 * The daemon checks out when /workspace does not hold `checkout.commit` as its base yet, so a container that
 * replaced a lost one is filled again without the Worker's doing.
 */
export type AgentOrder = { readonly checkout: Checkout; readonly prompt: string };

/** What a tool subcommand reads from stdin and writes to stdout, each as one JSON document. */
export type ToolCalls = {
  checkout: { input: Checkout; output: CheckoutDone };
  export: { input: { readonly limits: ExportLimits }; output: FileSet };
  apply: { input: { readonly changes: readonly FileChange[] }; output: { readonly applied: number } };
  run: { input: RunOrder; output: Ran };
};

export type CheckoutDone = {
  readonly commit: string;
  readonly tree: string;
  readonly files: number;
  readonly ms: number;
};

/** One command, as the unprivileged user, in /workspace/`cwd`. */
export type RunOrder = {
  readonly argv: readonly string[];
  /** Relative to /workspace; "" is the root. */
  readonly cwd: string;
  readonly seconds: number;
  /** Bytes kept of each of head and tail of the combined output. */
  readonly outputBytes: number;
};

/** A command that ran, whatever its exit code: a failing command is a fact, not an error. */
export type Ran = {
  readonly exit: number | null;
  /** stdout and stderr as they came, the middle left out where `cut`. */
  readonly output: string;
  readonly ms: number;
  readonly cut: boolean;
  readonly timedOut: boolean;
};

/** Every way a subcommand can refuse. The tool exits 0 with one of these; any other exit is a defect or a kill. */
export type ToolFault = {
  readonly why:
    | "bad-input"
    | "repository-unreachable"
    | "commit-not-found"
    | "no-checkout"
    | "path-refused"
    | "disk"
    | "git-failed";
  readonly detail: string;
};

export type ToolAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: ToolFault };
