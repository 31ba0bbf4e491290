/** Reading what coding agents' tools print: command output, a file with line numbers, a run of Node's test runner. */
import { stripVTControlCharacters } from "node:util";

export type TestRun = {
  readonly passed: number;
  readonly failed: number;
  readonly failing: readonly string[];
};

/** A command's own output: Codex 0.171.0 heads it with some lines of its own, the last of them "Output:". */
export function commandOutput(result: string): string {
  const own = result.replace(/^[\s\S]*?^Output:\n/m, "");
  return stripVTControlCharacters(own);
}

/** A file's text. Claude Code's Read numbers the lines ("12<tab>text") and may append a reminder after them. */
export function fileText(result: string, isNumbered: boolean): string {
  if (!isNumbered) return commandOutput(result);
  const lines = [...result.matchAll(/^ *\d+[\t→](.*)$/gm)].map((match) => match[1] ?? "");
  return lines.join("\n");
}

/** The counts at the end of `node --test`, spec or TAP; undefined when no test ran. */
export function readTestRun(output: string): TestRun | undefined {
  const count = (what: string) => new RegExp(`^(?:ℹ|#) ${what} (\\d+)$`, "m").exec(output)?.[1];
  const [passed, failed] = [count("pass"), count("fail")];
  if (passed === undefined || failed === undefined || Number(passed) + Number(failed) === 0) return undefined;
  const named = [...output.matchAll(/^\s*(?:✖ (.+?) \(\d+(?:\.\d+)?ms\)|not ok \d+ - (.+))$/gm)];
  const failing = new Set(named.map((match) => match[1] ?? match[2] ?? ""));
  return { passed: Number(passed), failed: Number(failed), failing: [...failing] };
}

export function tellTestRun(run: TestRun): string {
  const names = run.failing.length === 0 ? "" : ` (${run.failing.join("; ")})`;
  return `${run.passed} passed, ${run.failed} failed${names}`;
}
