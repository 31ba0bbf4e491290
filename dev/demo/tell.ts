/** What the demo prints: for people, in the order in which it happened. */
import type { Played } from "./play-mention.ts";
import { plainText, withoutRepeats } from "./plain-text.ts";

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
  say(`\npatchwright, after ${inSeconds(played)}:\n`);
  const comment = plainText(played.comment ?? played.why ?? "nothing");
  say(indent(comment));
  const pull = played.pullRequest;
  if (pull !== undefined) {
    say(`\nPull request #${pull.number}${pull.draft ? " (draft)" : ""}: ${pull.title}`);
    say(`branch ${pull.branch}, files: ${pull.files.join(", ")}\n`);
    say(indent(withoutRepeats(plainText(pull.body), comment)));
  }
  say("");
}

/** The last line: what came of it, how long it took, and with what. */
export function summary(
  answer: Played,
  change: Played,
  world: { readonly model: "local" | "anthropic"; readonly engine: string },
): string {
  const parts = [
    answer.comment === undefined ? "No answer" : `Answered in ${inSeconds(answer)}`,
    change.pullRequest === undefined ? "no pull request" : `pull request in ${inSeconds(change)}`,
  ];
  const model = world.model === "local" ? "local script" : "Anthropic";
  const engine = world.engine === "local" ? "local (no security boundary)" : world.engine;
  return `${parts.join(", ")}; model: ${model}; engine: ${engine}`;
}

function inSeconds({ ms }: Played): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`.trimEnd())
    .join("\n");
}
