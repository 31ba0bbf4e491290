/**
 * Whether a text mentions the App, as GitHub would render it: not in code, quotes, links, or HTML; with the
 * boundaries of a login. Built on a Markdown parser, since every bot that looked for a substring woke up for URLs.
 */
import type { Nodes } from "mdast";
import { readMarkdown } from "../lib/markdown.ts";
import { parseable } from "../lib/parseable.ts";

/** Nodes whose text is not the writer speaking to us now. */
const SILENT: ReadonlySet<string> = new Set([
  "blockquote",
  "code",
  "inlineCode",
  "html",
  "link",
  "linkReference",
  "image",
  "imageReference",
  "definition",
  "footnoteDefinition",
]);

type Span = { readonly start: number; readonly end: number };

/**
 * The instruction in a text that mentions `@slug`: all of the text but the mentions, trimmed. Undefined where it does
 * not mention it; "" for a bare mention.
 */
export function instructionIn(text: string, slug: string): string | undefined {
  const spans = mentionsIn(text, slug);
  if (spans.length === 0) return undefined;
  let rest = "";
  let at = 0;
  for (const span of spans) {
    rest += text.slice(at, span.start);
    at = span.end;
  }
  rest += text.slice(at);
  return rest.replace(/^[\s,:;.!?]+/, "").trim();
}

function mentionsIn(whole: string, slug: string): Span[] {
  const text = parseable(whole);
  // Cheap and exact enough to skip the parser for most of what people write.
  if (!text.toLowerCase().includes(`@${slug.toLowerCase()}`)) return [];
  const spans: Span[] = [];
  const tree = readMarkdown(text);
  collect(tree, text, mentionPattern(slug), spans);
  return spans;
}

function collect(node: Nodes, text: string, pattern: RegExp, spans: Span[]): void {
  if (SILENT.has(node.type)) return;
  if (node.type === "text") {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) return;
    // The source is searched, not the node's value: offsets must be those of the text.
    for (const match of text.slice(start, end).matchAll(pattern)) {
      const from = start + match.index;
      if (!/[A-Za-z0-9_@./-]/.test(text.charAt(from - 1)))
        spans.push({ start: from, end: from + match[0].length });
    }
    return;
  }
  if ("children" in node) for (const child of node.children) collect(child, text, pattern, spans);
}

/**
 * A login ends where GitHub ends it: `@bot!`, `@bot's`, `@bot.` and `(@bot)` are the bot; `@bot-helper`, `@bot/team`
 * and `@bot.example` are not.
 */
function mentionPattern(slug: string): RegExp {
  return new RegExp(
    `@${slug.replaceAll(/[^A-Za-z0-9-]/g, "")}(?:\\[bot\\])?(?![A-Za-z0-9_/]|[-.]+[A-Za-z0-9_])`,
    "gi",
  );
}
