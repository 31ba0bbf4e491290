/** From the file's text to a config, or to errors that say line, key and mend. */
import { isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type Document } from "yaml";
import { fail, pass, type Result } from "../lib/result.ts";
import { DEFAULT_CONFIG, RepoConfig } from "./schema.ts";

/** Where the file lives, on the default branch. */
export const CONFIG_PATH = ".github/patchwright.yml";

/** One thing wrong. `line` is 1-based. */
export type ConfigFault = { readonly line: number; readonly key: string; readonly problem: string };

/** Larger files are refused unread: a config is a page, and YAML can be made to grow. */
export const MAX_CONFIG_CHARACTERS = 64 * 1024;

/** @param text the file's text, or undefined where there is none: then the defaults hold. */
export function parseConfig(text: string | undefined): Result<RepoConfig, readonly ConfigFault[]> {
  if (text === undefined || text.trim() === "") return pass(DEFAULT_CONFIG);
  if (text.length > MAX_CONFIG_CHARACTERS) {
    return fail([{ line: 1, key: "", problem: `is longer than ${MAX_CONFIG_CHARACTERS} characters` }]);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true, logLevel: "error" });
  const broken = document.errors.map((error) => ({
    line: lines.linePos(error.pos[0]).line,
    key: "",
    problem: error.message.split("\n", 1)[0] ?? "is not YAML",
  }));
  if (broken.length > 0) return fail(broken);
  const alias = aliasIn(document);
  if (alias !== undefined) {
    const line = lines.linePos(alias).line;
    return fail([{ line, key: "", problem: "aliases are not supported; write the value out" }]);
  }
  const config = RepoConfig.safeParse(document.toJS() ?? {});
  if (config.success) return pass(config.data);
  return fail(
    config.error.issues
      .flatMap((issue) =>
        issue.code === "unrecognized_keys"
          ? issue.keys.map((key) => ({ path: [...issue.path, key], problem: "is not a setting" }))
          : [{ path: issue.path, problem: issue.message }],
      )
      .map(({ path, problem }) => ({
        line: lines.linePos(offsetOf(document, path)).line,
        key: path.map(String).join("."),
        problem,
      })),
  );
}

/** Where the first alias stands. A few lines of them can unfold into gigabytes, so none is followed. */
function aliasIn(document: Document): number | undefined {
  let found: number | undefined;
  visit(document, {
    Alias(_, node) {
      found = node.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

/** Where the deepest part of a path stands that is there: its key in a map, itself in a list. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const step of path) {
    if (isSeq(node)) {
      node = node.items[Number(step)];
      if (typeof node === "object" && node !== null && "range" in node && Array.isArray(node.range)) {
        offset = Number(node.range[0]);
      }
      continue;
    }
    if (!isMap(node)) break;
    const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
    if (pair === undefined) break;
    if (isScalar(pair.key) && pair.key.range) offset = pair.key.range[0];
    node = pair.value;
  }
  return offset;
}
