/** From the file's text to a config, or to errors that say line, key and mend. */
import { LineCounter, parseDocument, type Document } from "yaml";
import { fail, pass, type Result } from "../lib/result.ts";
import { DEFAULT_CONFIG, RepoConfig } from "./schema.ts";

/** Where the file lives, on the default branch. */
export const CONFIG_PATH = ".github/patchwright.yml";

/** One thing wrong. `line` is 1-based. */
export type ConfigFault = { readonly line: number; readonly key: string; readonly problem: string };

/** Larger files are refused unread: a config is a page, and YAML can be made to grow. */
const MAX_CHARACTERS = 64 * 1024;

/** @param text the file's text, or undefined where there is none: then the defaults hold. */
export function parseConfig(text: string | undefined): Result<RepoConfig, readonly ConfigFault[]> {
  if (text === undefined || text.trim() === "") return pass(DEFAULT_CONFIG);
  if (text.length > MAX_CHARACTERS) {
    return fail([{ line: 1, key: "", problem: `is longer than ${MAX_CHARACTERS} characters` }]);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, maxAliasCount: 0, uniqueKeys: true } as object);
  const broken = document.errors.map((error) => ({
    line: lines.linePos(error.pos[0]).line,
    key: "",
    problem: error.message.split("\n", 1)[0] ?? "is not YAML",
  }));
  if (broken.length > 0) return fail(broken);
  const config = RepoConfig.safeParse(toValue(document) ?? {});
  if (config.success) return pass(config.data);
  return fail(
    config.error.issues.map((issue) => ({
      line: lineOf(document, issue.path, lines),
      key: issue.path.map(String).join("."),
      problem: issue.message,
    })),
  );
}

function toValue(document: Document): unknown {
  try {
    // Aliases are refused: a few lines of them can unfold into gigabytes.
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    return value;
  } catch {
    return "aliases are not supported";
  }
}

function lineOf(document: Document, path: readonly PropertyKey[], lines: LineCounter): number {
  for (let depth = path.length; depth > 0; depth--) {
    const node: unknown = document.getIn(path.slice(0, depth), true);
    if (typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range)) {
      const offset: unknown = node.range[0];
      if (typeof offset === "number") return lines.linePos(offset).line;
    }
  }
  return 1;
}
