/** Reaching a folder of the workspace one open folder at a time. */
import { closeFolder, openChild, openRoot } from "./open-folder.ts";
import type { Folder } from "./open-folder.ts";
import type { Places } from "./places.ts";
import type { ByteString } from "./tree.ts";

/**
 * Open `path` ("" for the root, else "a/b/" or "a/b"), or undefined when a step of it is no folder, a link included.
 * The caller closes it. Refuses with no-checkout when the workspace itself is gone.
 */
export function walkTo(places: Places, path: ByteString): Folder | undefined {
  let folder = openRoot(places.workspace);
  for (const name of path.split("/")) {
    if (name === "") continue;
    const next = openChild(folder, name);
    closeFolder(folder);
    if (next === undefined) return undefined;
    folder = next;
  }
  return folder;
}

/** A path's folder ("a/b/" or "") and its last name. */
export function splitPath(path: ByteString): { readonly folder: ByteString; readonly name: ByteString } {
  const slash = path.lastIndexOf("/");
  return { folder: path.slice(0, slash + 1), name: path.slice(slash + 1) };
}
