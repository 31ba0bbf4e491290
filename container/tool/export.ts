/**
 * `export`: what differs from the base commit, as data. It reads the workspace as the agent's user, through open
 * folders, and compares bytes with the base commit's objects; time stamps, the agent's git folder and git's own view
 * of the workspace play no part, since the agent can write all three.
 *
 * Renames are a delete and a write. Links are exported as links (mode 120000, the link's text), never followed.
 * Submodules are left as they are. Changes come in byte order of their paths, and the first that fit are taken.
 */
import { createHash } from "node:crypto";
import type { ExportLimits, FileChange, FileSet, SkippedPath } from "../../src/domain/file-set.ts";
import { asAgent } from "./as-agent.ts";
import { requireBase } from "./base.ts";
import { closeFolder, linkText, openFile, readAndClose } from "./open-folder.ts";
import type { Places } from "./places.ts";
import { scan } from "./scan.ts";
import type { Scan } from "./scan.ts";
import type { ByteString, TreeEntry } from "./tree.ts";
import { readTree } from "./tree.ts";
import { splitPath, walkTo } from "./walk-to.ts";

/** Skipped paths that are named. An agent that makes a million pipes does not fill the Worker's memory with them. */
const MAX_SKIPPED = 1000;

type Found = { readonly mode: "100644" | "100755" | "120000"; readonly bytes: Buffer };

/** Export the workspace's changes. Refuses with no-checkout. */
export async function exportChanges(places: Places, limits: ExportLimits): Promise<FileSet> {
  const base = requireBase(places);
  const tree = await readTree(places, base.tree);
  const seen = await scan(places, tree);
  const changes = asAgent(places, () => collect(places, tree, seen, limits));
  return { base, changes, skipped: listOf(seen.skipped) };
}

/** Read what differs, in byte order of the paths, and note in `skipped` what is not taken. */
function collect(
  places: Places,
  tree: ReadonlyMap<ByteString, TreeEntry>,
  { present, kept, closed, skipped }: Scan,
  limits: ExportLimits,
): FileChange[] {
  const changes: FileChange[] = [];
  let total = 0;
  for (const path of [...new Set([...tree.keys(), ...present])].sort(byBytes)) {
    const was = tree.get(path);
    if (kept.has(path) || was?.mode === "160000" || closed.some((folder) => path.startsWith(folder)))
      continue;
    if (was === undefined && changes.length >= limits.files) {
      // A new path that cannot be taken is not read either.
      skipped.set(path, "set-full");
      continue;
    }
    const now = present.has(path) ? look(places, path, was, limits.fileBytes) : "gone";
    if (now === "same" || (now === "gone" && was === undefined)) continue;
    const name = textOf(path);
    if (name === undefined) skipped.set(path, "not-utf8-path");
    else if (now === "too-large" || now === "special-file") skipped.set(path, now);
    else if (changes.length >= limits.files) skipped.set(path, "set-full");
    else if (now === "gone") changes.push({ op: "delete", path: name });
    else if (total + now.bytes.length > limits.totalBytes) skipped.set(path, "set-full");
    else {
      total += now.bytes.length;
      const content = now.bytes.toString("base64");
      changes.push({ op: "write", path: name, mode: now.mode, size: now.bytes.length, content });
    }
  }
  return changes;
}

function byBytes(a: ByteString, b: ByteString): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** What a path holds now. This look decides: whatever the scan saw may have changed since. */
function look(
  places: Places,
  path: ByteString,
  was: TreeEntry | undefined,
  fileBytes: number,
): Found | "same" | "gone" | "too-large" | "special-file" {
  const { folder: parent, name } = splitPath(path);
  const folder = walkTo(places, parent);
  if (folder === undefined) return "gone";
  try {
    const link = linkText(folder, name);
    if (link !== undefined) return judge({ mode: "120000", bytes: link }, was);
    const file = openFile(folder, name);
    if (file === undefined) return "special-file";
    const mode = (file.stats.mode & 0o100) === 0 ? "100644" : "100755";
    // A base file is read whole even past the limit, or a large file that nobody touched would look changed.
    const most = Math.max(fileBytes, was?.size ?? 0);
    const bytes = readAndClose(file, most);
    if (bytes === undefined) return "too-large";
    const found = judge({ mode, bytes }, was);
    return found !== "same" && bytes.length > fileBytes ? "too-large" : found;
  } finally {
    closeFolder(folder);
  }
}

function judge(found: Found, was: TreeEntry | undefined): Found | "same" {
  if (was === undefined || was.mode !== found.mode || was.size !== found.bytes.length) return found;
  return blobId(found.bytes, was.id.length) === was.id ? "same" : found;
}

/** A blob's object id: the hash over "blob SIZE\0" and the bytes; SHA-1 or SHA-256 by the repository's id length. */
function blobId(bytes: Buffer, idLength: number): string {
  const hash = createHash(idLength === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** The path as text, or undefined when its bytes are no UTF-8. */
function textOf(path: ByteString): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(path, "latin1"));
  } catch {
    return undefined;
  }
}

function listOf(skipped: ReadonlyMap<ByteString, SkippedPath["why"]>): SkippedPath[] {
  const sorted = [...skipped].sort(([a], [b]) => byBytes(a, b));
  return sorted
    .slice(0, MAX_SKIPPED)
    .map(([path, why]) => ({ path: Buffer.from(path, "latin1").toString("utf8"), why }));
}
