/** How a change is tested, and what came of it. */

/** A command as an argument list: it never passes through a shell of ours. */
export type CheckCommand = { readonly name: string; readonly argv: readonly string[] };

/** What to run in the clean container, and who said so. */
export type CheckPlan = {
  readonly source: "config" | "package.json" | "Cargo.toml" | "go.mod" | "pyproject.toml" | "Makefile";
  /** Files that say how to test: a change to one of them can make anything pass. */
  readonly decidedBy: readonly string[];
  readonly prepare: readonly CheckCommand[];
  readonly test: readonly CheckCommand[];
};

/** One command that was run. `output` is head and tail, redacted. */
export type CheckResult = {
  readonly name: string;
  readonly command: string;
  readonly exit: number | null;
  readonly ms: number;
  readonly timedOut: boolean;
  readonly output: string;
};

/**
 * - `passed` / `failed`: the tests ran in a clean container on exactly the files that are published
 * - `no-tests`: neither the config nor the repository names a test command
 * - `not-run`: something of ours or the preparation failed before the tests could say anything
 */
export type CheckReport = {
  readonly outcome: "passed" | "failed" | "no-tests" | "not-run";
  readonly why?: string;
  /** The file that says how to test, where the change itself changes it: then a pass proves little. */
  readonly changesHowItIsTested?: string;
  readonly results: readonly CheckResult[];
};
