/**
 * Which new paths are left out because a .gitignore says so.
 *
 * Two rule books are asked, the base commit's .gitignore files and the workspace's, and a path is left out when either
 * names it. So an agent that deletes or empties .gitignore does not make node_modules part of the change, and one
 * that adds a rule for its build output is obeyed. The price: a path that the base ignores cannot be added by first
 * un-ignoring it; a person can.
 *
 * Git reads the rules from replicas under `state` that hold nothing but .gitignore files and empty folders, so it
 * never looks at the workspace.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refuse } from "./faults.ts";
import { gitHere, repositoryOf, tryGit } from "./git.ts";
import type { Places } from "./places.ts";
import type { ByteString, TreeEntry } from "./tree.ts";

export const IGNORE_FILE = ".gitignore";

/** A larger .gitignore is not read: git would take minutes over it. */
export const MAX_IGNORE_BYTES = 1024 * 1024;

/** A rule can be written to take forever to match. */
const MAX_MATCH_SECONDS = 60;

export type IgnoreRules = {
  /** Tell the workspace's rules of one folder ("" or ending in "/"). */
  learn(folder: ByteString, rules: Buffer): void;
  /** Which of these new paths are ignored. Their folders' rules must have been learnt. */
  ignored(
    paths: readonly { readonly path: ByteString; readonly folder: boolean }[],
  ): Promise<Set<ByteString>>;
  forget(): void;
};

/** Rule books for an export from `base`. */
export async function ignoreRules(
  places: Places,
  base: ReadonlyMap<ByteString, TreeEntry>,
): Promise<IgnoreRules> {
  const root = join(places.state, "ignore");
  rmSync(root, { recursive: true, force: true });
  const books = [join(root, "base"), join(root, "workspace")] as const;
  for (const book of books) mkdirSync(book, { recursive: true });
  for (const [path, entry] of base) {
    const isRules = path === IGNORE_FILE || path.endsWith(`/${IGNORE_FILE}`);
    if (!isRules || entry.mode === "120000" || entry.mode === "160000" || entry.size > MAX_IGNORE_BYTES)
      continue;
    learnInto(books[0], path, await gitHere(places, ["cat-file", "blob", entry.id]));
  }
  return {
    learn: (folder, rules) => learnInto(books[1], `${folder}${IGNORE_FILE}`, rules),
    async ignored(paths) {
      const found = new Set<ByteString>();
      for (const book of books) {
        // "build/" in a rule matches folders only, and git looks at the disk for what a path is.
        for (const each of paths) if (each.folder) mkdirSync(inBook(book, each.path), { recursive: true });
        for (const path of await checkIgnore(
          places,
          book,
          paths.map((each) => each.path),
        ))
          found.add(path);
      }
      return found;
    },
    forget: () => rmSync(root, { recursive: true, force: true }),
  };
}

function learnInto(book: string, path: ByteString, rules: Buffer): void {
  const file = inBook(book, path);
  mkdirSync(file.subarray(0, file.lastIndexOf("/")), { recursive: true });
  writeFileSync(file, rules);
}

function inBook(book: string, path: ByteString): Buffer {
  return Buffer.concat([Buffer.from(`${book}/`), Buffer.from(path, "latin1")]);
}

/**
 * Paths go in as "./PATH", or one that starts with ":" would be read as pathspec magic, and come out the same way.
 * `git check-ignore` answers 0 when some path is ignored, 1 when none is.
 */
async function checkIgnore(
  places: Places,
  book: string,
  paths: readonly ByteString[],
): Promise<ByteString[]> {
  if (paths.length === 0) return [];
  const run = await tryGit(
    places,
    [
      `--git-dir=${repositoryOf(places)}`,
      `--work-tree=${book}`,
      "check-ignore",
      "--no-index",
      "-z",
      "--stdin",
    ],
    {
      input: Buffer.from(paths.map((path) => `./${path}\0`).join(""), "latin1"),
      cwd: book,
      seconds: MAX_MATCH_SECONDS,
    },
  );
  if (run.exit !== 0 && run.exit !== 1) refuse("git-failed", `git check-ignore: ${run.stderr}`);
  return run.stdout
    .toString("latin1")
    .split("\0")
    .flatMap((path) => (path.startsWith("./") ? [path.slice(2)] : []));
}
