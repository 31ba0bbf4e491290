/** The figures as tables for people. Pure: results in, text out. */
import { KINDS } from "./deliveries.ts";
import type { Stats } from "./stats.ts";
import type { Part } from "./steps.ts";
import type { Results, Target } from "./targets.ts";

const COLUMNS = ["n", "min", "median", "p95", "max"];

export function report(results: Results, targets: readonly Target[]): string {
  return [
    deliveriesText(results),
    answersText(results),
    changesText(results),
    heading("Targets"),
    table(
      targets.map(({ name, target, measured, met }) => [
        name,
        `< ${ms(target)}`,
        ms(measured),
        met ? "met" : "MISSED",
      ]),
    ),
  ].join("\n");
}

function deliveriesText({ deliveries: { worker, peer, ratio, health } }: Results): string {
  const ours = KINDS.map((kind) => statsRow(`Worker, ${kind}`, worker[kind], `${ratio[kind]} × the peer`));
  const theirs = KINDS.map((kind) => statsRow(`peer, the same deliveries (${kind})`, peer[kind], ""));
  return [
    heading("Delivery to 202 (ms)"),
    table([["", ...COLUMNS, ""], ...ours, ...theirs, statsRow("Worker, GET /health", health, "")]),
    "",
    "The peer is a bare Node server with @octokit/webhooks: it verifies and stores nothing, so a delivery it has",
    "answered is lost with its process. The Worker answers once the delivery is in a Durable Object's storage.",
    "GET /health is what wrangler's development proxy and workerd cost here before any of our work.",
    "Each stored one is a new thread; the answer it starts is waited out before the next delivery.",
  ].join("\n");
}

function answersText({ answers }: Results): string {
  return [
    heading("Delivery to final answer (ms)"),
    table([["", ...COLUMNS], statsRow("sent to final comment", answers.ms)]),
    `the first of all, with nothing loaded: ${ms(answers.coldMs)}`,
    "",
    partsTable("by step, until the request has ended", answers.steps),
  ].join("\n");
}

function changesText({ changes }: Results): string {
  const { inPullRequest, byHand } = changes.tests;
  return [
    heading("Delivery to pull request (ms)"),
    table([
      ["", ...COLUMNS],
      statsRow("sent to pull request opened", changes.ms),
      statsRow("less one run of the tests", changes.msLessTests),
      statsRow("one run of the tests, as the pull requests say", inPullRequest),
      statsRow("one run of the tests, by hand in a clone", byHand),
    ]),
    `the first of all: ${ms(changes.coldMs)}. The agent runs the tests twice besides; that is not taken off.`,
    "",
    partsTable("by step, until the request has ended", changes.steps),
    "",
    partsTable("inside coder:wait", changes.coder),
    "",
    partsTable("inside verify", changes.verify),
  ].join("\n");
}

function partsTable(title: string, parts: readonly Part[]): string {
  const total = parts.reduce((sum, part) => sum + part.ms, 0);
  const rows = parts.map((part) => [
    part.name,
    String(part.times),
    part.ms.toFixed(1),
    `${((100 * part.ms) / total).toFixed(0)} %`,
  ]);
  return table([[title, "times", "mean ms", "share"], ...rows, ["together", "", total.toFixed(1), ""]]);
}

function statsRow(name: string, { n, min, median, p95, max }: Stats, ...more: string[]): string[] {
  return [name, String(n), ...[min, median, p95, max].map((value) => value.toFixed(1)), ...more];
}

/** The first column to the left, the others to the right. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) => {
      const cells = row.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      );
      return `  ${cells.join("  ")}`.trimEnd();
    })
    .join("\n");
}

function heading(text: string): string {
  return `\n── ${text} ${"─".repeat(Math.max(0, 76 - text.length))}`;
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
