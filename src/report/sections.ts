/** Parts that comments and pull requests share. Pure: facts in, Markdown out. */
import type { CheckReport, CheckResult } from "../domain/checks.ts";
import type { SkippedPath } from "../domain/file-set.ts";
import { redact } from "../lib/redact.ts";

/** Characters of a command's output that are shown; the end is what matters. */
const OUTPUT_LENGTH = 6_000;

/** What the clean container said of the change. */
export function checksSection(report: CheckReport): string {
  return [verdict(report), ...report.results.map(resultSection)].join("\n\n");
}

/** One line that is true whatever happened. */
export function verdict(report: CheckReport): string {
  switch (report.outcome) {
    case "passed":
      if (report.changesHowItIsTested !== undefined) {
        const file = codeSpan(report.changesHowItIsTested);
        return `The tests pass, but **this change also changes ${file}, which says how to test**. Look at that first.`;
      }
      return "The tests pass, run in a clean container on exactly these files.";
    case "failed":
      return "**The tests fail** with this change, run in a clean container on exactly these files.";
    case "no-tests":
      return "**Not tested**: neither `.github/patchwright.yml` nor the repository names a test command.";
    case "not-run":
      return `**Not tested**: ${report.why ?? "the tests could not be run"}.`;
  }
}

function resultSection(result: CheckResult): string {
  const outcome = result.timedOut
    ? "timed out"
    : result.exit === 0
      ? "passed"
      : `exit code ${result.exit ?? "none"}`;
  const said = `${outcome} in ${seconds(result.ms)}`;
  const output = redact(result.output.trim()).slice(-OUTPUT_LENGTH);
  if (output === "") return `${codeSpan(result.command)}: ${said}`;
  return details(`<code>${escapeHtml(result.command)}</code>: ${said}`, fence(output));
}

/** What the agent wrote and we do not deliver. "" where everything is delivered. */
export function leftOutSection(
  refused: readonly { readonly path: string; readonly why: string }[],
  skipped: readonly SkippedPath[],
): string {
  const left = [...refused, ...skipped];
  if (left.length === 0) return "";
  const shown = left.slice(0, 50).map(({ path, why }) => `- ${codeSpan(path)}: ${why.replaceAll("-", " ")}`);
  const more = left.length > shown.length ? [`- and ${left.length - shown.length} more`] : [];
  return [
    "### Left out",
    "These files are not part of the pull request:",
    [...shown, ...more].join("\n"),
  ].join("\n\n");
}

/** What there is to say, one part below the other; "" is nothing to say. */
export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** A code span around any text: on one line, with a fence longer than any inside. */
export function codeSpan(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  const ticks = "`".repeat(longestRun(line) + 1);
  return ticks.length === 1 ? `\`${line}\`` : `${ticks} ${line} ${ticks}`;
}

/** A fenced block around any text. */
export function fence(text: string): string {
  const ticks = "`".repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}text\n${text}\n${ticks}`;
}

/**
 * A folded part.
 * @param summary HTML on one line, escaped by the caller
 */
export function details(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

/** Milliseconds as people read them. */
export function seconds(ms: number): string {
  if (ms < 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  const whole = Math.round(ms / 1_000);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
