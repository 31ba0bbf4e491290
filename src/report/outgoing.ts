/**
 * Text by a model or from a repository, on its way into a comment: nobody is pinged, no other bot is commanded, no
 * issue is closed by a phrase, and no secret goes along. Code stays as it is.
 */
import type { Nodes } from "mdast";
import { parseable } from "../lib/parseable.ts";
import { redact } from "../lib/redact.ts";
import { closing } from "./closing.ts";
import { readMarkdown } from "../lib/markdown.ts";
import { fence } from "./sections.ts";

/**
 * The at sign of a mention in each way Markdown can write it, and the words by which GitHub closes the issue behind
 * them (which may be a node of its own, so a text's end counts too). A zero-width space, written as an entity, parts
 * either; backticks would not, where the text has stray ones of its own.
 */
const AT = /@|&#0*64;|&#x0*40;|&commat;/gi;
const CLOSES =
  /\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)\b(?=:?\s*(?:(?:[\w.-]+\/[\w.-]+)?[#\\&]|GH-\d|https?:|$))/gi;

/** HTML that would swallow what follows it in the comment, and comments, which are how markers are written. */
const SWALLOWS = /<(?=[!?]|\/?(?:pre|script|style|textarea)\b)/gi;

/** Our own marker, which counts wherever it stands in a comment of ours: a model must not write it, not even as code. */
const MARKER = /<!--(?=\s*patchwright\b)/gi;

/** Where nothing is active: code, and links (GitHub's mention filter passes over `pre`, `code` and `a`) with their targets. */
const INERT: ReadonlySet<string> = new Set([
  "code",
  "inlineCode",
  "link",
  "linkReference",
  "image",
  "imageReference",
  "definition",
]);

/** Text that ends what it opens, so that what we write after it is read as ours. */
export function outgoing(text: string): string {
  // Too tangled to be looked at: shown as the plain text it is.
  if (parseable(text).length < text.length) return fence(redact(text.replaceAll(MARKER, "<! --")));
  const spans: Span[] = [];
  collect(readMarkdown(text), spans);
  let result = "";
  let at = 0;
  for (const { start, end } of spans) {
    result += text.slice(at, start) + calm(text.slice(start, end));
    at = end;
  }
  const whole = redact((result + text.slice(at)).replaceAll(MARKER, "&lt;!--"));
  return whole + closing(whole);
}

type Span = { readonly start: number; readonly end: number };

function collect(node: Nodes, spans: Span[]): void {
  if (INERT.has(node.type)) return;
  if ("children" in node) {
    for (const child of node.children) collect(child, spans);
    return;
  }
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  if (start !== undefined && end !== undefined) spans.push({ start, end });
}

function calm(source: string): string {
  return source.replaceAll(SWALLOWS, "&lt;").replaceAll(/\S+/g, calmWord).replaceAll(CLOSES, "$1&#8203;");
}

/**
 * An e-mail address or `name@version` mentions nobody; but behind an address, which becomes a link, a mention can start,
 * and so it can behind an underscore, which may turn out to be emphasis.
 */
function calmWord(word: string): string {
  let first = true;
  return word.replaceAll(AT, (at, offset: number) => {
    const within = first && /[A-Za-z0-9]/.test(word.charAt(offset - 1));
    first = false;
    return within ? at : `${at}&#8203;`;
  });
}
