/** What a piece of Markdown leaves open, and what closes it: a fence or a folded part would swallow all that follows. */
import type { Nodes } from "mdast";
import { parseable } from "../lib/parseable.ts";
import { readMarkdown } from "../lib/markdown.ts";

/** The end of the fence and of the folded parts that `text` leaves open; "" where it leaves none. */
export function closing(text: string): string {
  if (parseable(text).length < text.length) return closingByLines(text);
  const tree = readMarkdown(text);
  // A fence within a list or a quote ends with it; only the last block of all can still be open.
  const last = tree.children.at(-1);
  const from = last?.type === "code" ? last.position?.start.offset : undefined;
  const fence = from === undefined ? undefined : openFence(text.slice(from));
  return (fence === undefined ? "" : `\n${fence}`) + "\n\n</details>".repeat(openDetails(tree));
}

/** For what is too tangled to parse, which we show within a fence longer than any inside it. */
function closingByLines(text: string): string {
  const fence = openFence(text);
  return fence === undefined ? "" : `\n${fence}`;
}

function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const run = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/.exec(line);
    const mark = run?.[1] ?? "";
    const rest = run?.[2] ?? "";
    if (mark === "") continue;
    if (open === undefined) open = mark.startsWith("`") && rest.includes("`") ? undefined : mark;
    else if (mark.startsWith(open) && rest.trim() === "") open = undefined;
  }
  return open;
}

function openDetails(tree: Nodes): number {
  let open = 0;
  const visit = (node: Nodes): void => {
    if ("children" in node) for (const child of node.children) visit(child);
    if (node.type !== "html") return;
    for (const [, end] of node.value.matchAll(/<(\/?)details\b/gi)) open = Math.max(0, open + (end ? -1 : 1));
  };
  visit(tree);
  return open;
}
