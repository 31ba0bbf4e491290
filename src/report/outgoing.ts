/**
 * Text by a model or from a repository, on its way into a comment: nobody is pinged, no other bot is commanded, no
 * issue is closed by a phrase, and no secret goes along. Code stays as it is.
 */
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Nodes } from "mdast";
import { redact } from "../lib/redact.ts";

/** Mentions, and the phrases by which GitHub closes issues. In backticks both are only text. */
const ACTIVE =
  /(?<![A-Za-z0-9_`])@[A-Za-z0-9][A-Za-z0-9-]*(?:\/[A-Za-z0-9._-]+)?|\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w.-]+\/[\w.-]+)?#\d+/gi;

/** Nodes that GitHub shows as code, where nothing is active. */
const INERT: ReadonlySet<string> = new Set(["code", "inlineCode"]);

export function outgoing(text: string): string {
  const spans: { start: number; end: number }[] = [];
  const tree = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  collect(tree, text, spans);
  let result = "";
  let at = 0;
  for (const { start, end } of spans) {
    result += `${text.slice(at, start)}\`${text.slice(start, end).replaceAll("`", "")}\``;
    at = end;
  }
  // Comments are how markers are written; a model must not write ours.
  return redact((result + text.slice(at)).replaceAll("<!--", "&lt;!--"));
}

function collect(node: Nodes, text: string, spans: { start: number; end: number }[]): void {
  if (INERT.has(node.type)) return;
  if ("children" in node) {
    for (const child of node.children) collect(child, text, spans);
    return;
  }
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (start === undefined || end === undefined) return;
  for (const match of text.slice(start, end).matchAll(ACTIVE)) {
    spans.push({ start: start + match.index, end: start + match.index + match[0].length });
  }
}
