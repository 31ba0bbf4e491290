/**
 * `apply`: put a file set onto the checkout, in the container that runs the checks. The set comes from an agent, so
 * every path is judged before the first byte is written, and writing follows no link: a set cannot reach outside the
 * workspace or into git's own folder.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  mkdirSync,
  openSync,
  rmdirSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { FileChange } from "../../src/domain/file-set.ts";
import { asAgent } from "./as-agent.ts";
import { requireBase } from "./base.ts";
import { errorCode, refuse } from "./faults.ts";
import { at, closeFolder, kindOf, openChild, openRoot } from "./open-folder.ts";
import type { Folder } from "./open-folder.ts";
import { pathProblem } from "./paths.ts";
import type { Places } from "./places.ts";
import type { ByteString } from "./tree.ts";
import { splitPath, walkTo } from "./walk-to.ts";

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;

/**
 * Apply the changes: deletes first, so that a file may take a folder's place. Refuses with path-refused (before any
 * write for what the path itself shows) or no-checkout. Deleting what is not there is no fault.
 */
export function applyChanges(places: Places, changes: readonly FileChange[]): { applied: number } {
  requireBase(places);
  const seen = new Set<string>();
  for (const { path } of changes) {
    const problem = pathProblem(path) ?? (seen.has(path) ? "named twice" : undefined);
    if (problem !== undefined) refuse("path-refused", `${problem}: ${path}`);
    seen.add(path);
  }
  asAgent(places, () => {
    for (const change of changes) if (change.op === "delete") remove(places, bytesOf(change.path));
    for (const change of changes) if (change.op === "write") write(places, change);
  });
  return { applied: changes.length };
}

/** Remove a file or link, and the folders that are empty then, as git does. */
function remove(places: Places, path: ByteString): void {
  const { folder: parent, name } = splitPath(path);
  const folder = walkTo(places, parent);
  if (folder === undefined) return;
  try {
    if (kindOf(folder, name) === "folder") refuse("path-refused", `deletes a folder: ${path}`);
    unlinkSync(at(folder, name));
  } catch (thrown) {
    if (errorCode(thrown) !== "ENOENT") throw thrown;
  } finally {
    closeFolder(folder);
  }
  removeEmpty(places, parent.slice(0, -1));
}

function removeEmpty(places: Places, path: ByteString): void {
  if (path === "") return;
  const { folder: parent, name } = splitPath(path);
  const folder = walkTo(places, parent);
  if (folder === undefined) return;
  try {
    rmdirSync(at(folder, name));
  } catch {
    // Not empty: it stays, and so do the folders above it.
    return;
  } finally {
    closeFolder(folder);
  }
  removeEmpty(places, parent.slice(0, -1));
}

function write(places: Places, change: FileChange & { op: "write" }): void {
  const { folder: parent, name } = splitPath(bytesOf(change.path));
  const folder = makeFolders(places, parent, change.path);
  try {
    if (kindOf(folder, name) === "folder") refuse("path-refused", `a folder is in the way: ${change.path}`);
    if (kindOf(folder, name) !== "missing") unlinkSync(at(folder, name));
    // O_EXCL: the name was just made free, so nothing that took it since is written through.
    const fd = openSync(at(folder, name), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o644);
    try {
      const bytes = Buffer.from(change.content, "base64");
      for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done);
      fchmodSync(fd, change.mode === "100755" ? 0o755 : 0o644);
    } finally {
      closeSync(fd);
    }
  } finally {
    closeFolder(folder);
  }
}

/** Open the folder a file goes into, making what is missing. A link on the way is refused, wherever it points. */
function makeFolders(places: Places, parent: ByteString, path: string): Folder {
  let folder = openRoot(places.workspace);
  for (const name of parent.split("/")) {
    if (name === "") continue;
    if (kindOf(folder, name) === "missing") mkdirSync(at(folder, name), 0o755);
    const next = openChild(folder, name);
    closeFolder(folder);
    if (next === undefined) return refuse("path-refused", `not through a folder: ${path}`);
    folder = next;
  }
  return folder;
}

function bytesOf(path: string): ByteString {
  return Buffer.from(path, "utf8").toString("latin1");
}
