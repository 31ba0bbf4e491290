/** Markdown as GitHub reads it, with every node saying where in the text it stands. */
import type { Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

/** Without the pass that looks for links once more after parsing: what it splits no longer says where it stood. */
const MDAST = gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension);

/** @param text what `parseable` gives back whole */
export function readMarkdown(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: MDAST });
}
