/**
 * How much of a text a Markdown parser may be given. The parser takes time with the square of its input for some
 * inputs (64 KB of `*_`, or of setext underlines: a minute) and recurses once per quote, so anyone who can comment
 * could stop an isolate. Ordinary text of any length passes whole.
 */

/** Quotes and list markers one line may nest. */
const MAX_DEPTH = 40;

/** Above this many characters, a text with more than MAX_DELIMITERS is cut to it: two seconds at the very worst. */
const MAX_TANGLED = 16_000;
const MAX_DELIMITERS = 4_000;

const DEEP = new RegExp(`^(?:[ \\t]*(?:>|[-+*](?=[ \\t])|\\d{1,9}[.)](?=[ \\t]))){${MAX_DEPTH + 1}}`, "m");
const DELIMITERS = /[*_~[\]<>]|^[-+=]/gm;

/** The text, or the part from its start that can be parsed in reasonable time. */
export function parseable(text: string): string {
  const deep = DEEP.exec(text);
  const flat = deep === null ? text : text.slice(0, deep.index);
  if (flat.length <= MAX_TANGLED) return flat;
  const delimiters = flat.match(DELIMITERS)?.length ?? 0;
  return delimiters > MAX_DELIMITERS ? flat.slice(0, MAX_TANGLED) : flat;
}
