/**
 * The first look over the workspace: which base paths are still there, and which paths are new. Names and kinds only;
 * what goes into the set is read later, and judged again then (export.ts).
 */
import type { SkippedPath } from "../../src/domain/file-set.ts";
import { asAgent } from "./as-agent.ts";
import { IGNORE_FILE, ignoreRules, MAX_IGNORE_BYTES } from "./ignore-rules.ts";
import type { IgnoreRules } from "./ignore-rules.ts";
import { closeFolder, kindOf, namesIn, openFile, readAndClose } from "./open-folder.ts";
import type { Folder, Kind } from "./open-folder.ts";
import { isGitFolder } from "./paths.ts";
import type { Places } from "./places.ts";
import type { ByteString, TreeEntry } from "./tree.ts";
import { splitPath, walkTo } from "./walk-to.ts";

/** Names looked at before the scan gives up on the rest. Guards our time and memory, not the disk. */
const MAX_NAMES = 400_000;

export type Scan = {
  /** Base paths and new paths that hold a file or a link, in no order. */
  readonly present: Set<ByteString>;
  /** Base paths that are neither written nor deleted: submodules, and what is no file any more but a device or the like. */
  readonly kept: Set<ByteString>;
  /** Folders ("a/b/") that could not be looked into: nothing below them counts as deleted. */
  readonly closed: ByteString[];
  readonly skipped: Map<ByteString, SkippedPath["why"]>;
};

type Entry = { readonly path: ByteString; readonly kind: Kind };
type Listed = { readonly entries: readonly Entry[]; readonly rules: Buffer | undefined };
type Tracked = {
  readonly base: ReadonlyMap<ByteString, TreeEntry>;
  readonly folders: ReadonlySet<ByteString>;
};

/** Look over the workspace, level by level, so that each level's ignore rules are known before the next. */
export async function scan(places: Places, base: ReadonlyMap<ByteString, TreeEntry>): Promise<Scan> {
  const found: Scan = { present: new Set(), kept: new Set(), closed: [], skipped: new Map() };
  const tracked = { base, folders: foldersOf(base) };
  const rules = await ignoreRules(places, base);
  let budget = MAX_NAMES;
  try {
    for (let level: ByteString[] = [""]; level.length > 0;) {
      const entries: Entry[] = [];
      for (const [folder, listed] of listAll(places, level, tracked, budget)) {
        if (typeof listed === "string") {
          found.closed.push(folder);
          found.skipped.set(folder === "" ? "." : folder.slice(0, -1), listed);
          continue;
        }
        budget -= listed.entries.length;
        if (listed.rules !== undefined) rules.learn(folder, listed.rules);
        for (const entry of listed.entries) entries.push(entry);
      }
      level = await sortOut(entries, tracked, rules, found);
    }
  } finally {
    rules.forget();
  }
  return found;
}

/** Every folder that holds a base path, without the trailing slash. */
function foldersOf(base: ReadonlyMap<ByteString, TreeEntry>): Set<ByteString> {
  const folders = new Set<ByteString>();
  for (const path of base.keys()) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      folders.add(path.slice(0, slash));
    }
  }
  return folders;
}

/** Look into a level's folders as the agent's user, until `budget` names were seen. */
function listAll(
  places: Places,
  level: readonly ByteString[],
  tracked: Tracked,
  budget: number,
): (readonly [ByteString, Listed | SkippedPath["why"]])[] {
  let left = budget;
  return asAgent(places, () =>
    level.map((folder) => {
      const listed = list(places, folder, tracked, left);
      if (typeof listed !== "string") left -= listed.entries.length;
      return [folder, listed] as const;
    }),
  );
}

/** One folder's entries and its ignore rules, or why it stays closed. */
function list(places: Places, path: ByteString, tracked: Tracked, most: number): Listed | SkippedPath["why"] {
  const folder = walkTo(places, path);
  if (folder === undefined) return "special-file";
  try {
    const names = namesIn(folder, most);
    if (names === undefined) return "set-full";
    if (path !== "" && !tracked.folders.has(path.slice(0, -1)) && isRepository(names))
      return "nested-repository";
    const entries = names
      .filter((name) => path !== "" || name !== ".git")
      .map((name) => ({ path: path + name, kind: kindOf(folder, name) }));
    return { entries, rules: readRules(folder) };
  } finally {
    closeFolder(folder);
  }
}

/** A folder with git's own folder in it, or a bare repository. Publishing either would arm whoever clones it. */
function isRepository(names: readonly ByteString[]): boolean {
  return names.some(looksLikeGit) || ["HEAD", "objects", "refs"].every((name) => names.includes(name));
}

function looksLikeGit(name: ByteString): boolean {
  return isGitFolder(Buffer.from(name, "latin1").toString("utf8"));
}

function readRules(folder: Folder): Buffer | undefined {
  const file = openFile(folder, IGNORE_FILE);
  return file === undefined ? undefined : readAndClose(file, MAX_IGNORE_BYTES);
}

/** Put a level's entries where they belong; returns the folders of the next level. */
async function sortOut(
  entries: readonly Entry[],
  tracked: Tracked,
  rules: IgnoreRules,
  found: Scan,
): Promise<ByteString[]> {
  const next: ByteString[] = [];
  const fresh: Entry[] = [];
  for (const entry of entries) {
    const { path, kind } = entry;
    const inBase = tracked.base.get(path);
    if (inBase?.mode === "160000") found.kept.add(path);
    else if (looksLikeGit(splitPath(path).name)) found.skipped.set(path, "nested-repository");
    else if (kind === "folder" && tracked.folders.has(path)) next.push(`${path}/`);
    else if (inBase === undefined || kind === "folder") fresh.push(entry);
    else if (kind === "file" || kind === "link") found.present.add(path);
    else if (kind !== "missing") {
      found.kept.add(path);
      found.skipped.set(path, "special-file");
    }
  }
  const ignored = await rules.ignored(fresh.map(({ path, kind }) => ({ path, folder: kind === "folder" })));
  for (const { path, kind } of fresh) {
    if (ignored.has(path) || kind === "missing") continue;
    if (kind === "folder") next.push(`${path}/`);
    else if (kind === "file" || kind === "link") found.present.add(path);
    else found.skipped.set(path, "special-file");
  }
  return next;
}
