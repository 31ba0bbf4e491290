/** Finding lines in a snapshot, and the parts of a file. Pure. */
import { RE2JS } from "re2js";
import { messageOf } from "../lib/errors.ts";
import { fail, pass, type Result } from "../lib/result.ts";
import { globTest } from "./glob.ts";
import type { Snapshot } from "./snapshot.ts";

export type Match = { readonly path: string; readonly line: number; readonly text: string };
export type Query = {
  readonly query: string;
  readonly regexp?: boolean | undefined;
  readonly glob?: string | undefined;
  readonly limit: number;
};
export type SearchFault = { readonly why: "bad-regexp"; readonly detail: string };

/** Characters of a line that are shown, and that a regular expression is run on: minified files are one long line. */
const MAX_LINE = 1_000;

/** Lines that match, in path order. `truncated` where there are more, or where files were not read. */
export function search(
  snapshot: Snapshot,
  query: Query,
): Result<{ matches: Match[]; truncated: boolean }, SearchFault> {
  const test = matcher(query);
  if (!test.ok) return test;
  const inGlob = globTest(query.glob);
  const matches: Match[] = [];
  for (const file of snapshot.files) {
    if (!inGlob(file.path)) continue;
    let line = 0;
    for (const raw of file.text.split("\n")) {
      line++;
      const text = raw.slice(0, MAX_LINE);
      if (!test.value(text)) continue;
      if (matches.length >= query.limit) return pass({ matches, truncated: true });
      matches.push({ path: file.path, line, text: text.trimEnd() });
    }
  }
  return pass({ matches, truncated: snapshot.unread.some(inGlob) });
}

function matcher(query: Query): Result<(line: string) => boolean, SearchFault> {
  if (query.regexp !== true) {
    const wanted = query.query.toLowerCase();
    return pass((line) => line.toLowerCase().includes(wanted));
  }
  try {
    // RE2's engine takes time in proportion to its input. The pattern is a model's, and runs in the host's isolate,
    // where one that backtracks would stop every other request.
    const pattern = RE2JS.compile(query.query, RE2JS.CASE_INSENSITIVE);
    return pass((line) => pattern.test(line));
  } catch (thrown) {
    return fail({ why: "bad-regexp", detail: messageOf(thrown) });
  }
}

/** Lines `start` to `end` of a text, 1-based and inclusive, at most `most` of them. */
export function sliceLines(text: string, start: number, end: number | undefined, most: number) {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const last = Math.min(end ?? lines.length, lines.length, start + most - 1);
  return {
    text: lines.slice(start - 1, last).join("\n"),
    start,
    end: Math.max(last, start - 1),
    lines: lines.length,
    truncated: last < Math.min(end ?? lines.length, lines.length),
  };
}
