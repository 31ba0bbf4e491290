import type { Nodes } from "mdast";
import { describe, expect, it } from "vitest";
import { readMarkdown } from "../../../src/lib/markdown.ts";

function* nodesIn(node: Nodes): Generator<Nodes> {
  yield node;
  if ("children" in node) for (const child of node.children) yield* nodesIn(child);
}

const typesIn = (text: string) => [...nodesIn(readMarkdown(text))].map(({ type }) => type);

describe("Markdown as GitHub reads it", () => {
  it.each([
    ["a table", "| a |\n| - |\n| b |", "tableCell"],
    ["struck text", "~~a~~", "delete"],
    ["a task", "- [x] a", "listItem"],
    ["a footnote", "a[^1]\n\n[^1]: b", "footnoteDefinition"],
    ["a bare address", "see https://a.example/@b now", "link"],
  ])("has %s", (_, text, type) => {
    expect(typesIn(text)).toContain(type);
  });

  it.each([
    "a @b c",
    "mail ada@a.example now",
    "see www.a.example/@b and https://b.example.",
    "**@a** _b_ ~~c~~ `d`",
    "- [ ] one\n- @two\n\n> three",
    "| @a | b@c.example |\n| - | - |\n| d | e |",
  ])("says of every piece of text where it stands: %j", (text) => {
    const pieces = [...nodesIn(readMarkdown(text))].filter((node) => node.type === "text");
    expect(pieces.length).toBeGreaterThan(0);
    for (const { position, value } of pieces) {
      expect(text.slice(position?.start.offset, position?.end.offset)).toBe(value);
    }
  });
});
