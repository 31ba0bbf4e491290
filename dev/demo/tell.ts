/** What the demo prints: for people, in the order in which it happened. */
import type { Played } from "./play-mention.ts";

export type Say = (text: string) => void;

export function tell(text: string): void {
  console.log(text);
}

export function tellPlayed(
  say: Say,
  what: string,
  issue: { title: string; body: string },
  played: Played,
): void {
  say(`── ${what} ${"─".repeat(Math.max(0, 76 - what.length))}`);
  say(`ada opens #${played.issue}: ${issue.title}\n`);
  say(indent(issue.body));
  say(`\npatchwright, after ${(played.ms / 1_000).toFixed(1)} s:\n`);
  say(indent(visible(played.comment ?? played.why ?? "nothing")));
  const pull = played.pullRequest;
  if (pull !== undefined) {
    say(`\nPull request #${pull.number}${pull.draft ? " (draft)" : ""}: ${pull.title}`);
    say(`branch ${pull.branch}, files: ${pull.files.join(", ")}\n`);
    say(indent(visible(pull.body)));
  }
  say("");
}

/** Without what GitHub does not show: our marker. */
function visible(text: string): string {
  return text.replaceAll(/<!--[\s\S]*?-->/g, "").trim();
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}
