/** Trees made from a base and a list of edits by path, level by level: only the folders on the way are rewritten. */
import type { TreeEntry } from "./objects.ts";
import type { GitStore } from "./store.ts";

export type TreeEdit = {
  readonly path: string;
  /** null deletes. */
  readonly put: Omit<TreeEntry, "name"> | null;
};

type EditedTree =
  | { readonly ok: true; readonly tree: string }
  | { readonly ok: false; readonly why: "missing-path" | "bad-path" | "bad-object"; readonly path: string };

/**
 * The id of `base` (null: nothing) with `edits` applied. A later edit of the same path wins; a file may take the
 * place of a folder, and the other way round. Deleting what is not there is an error, as GitHub documents for
 * POST /repos/{owner}/{repo}/git/trees, and so is one path being a file and a folder at once.
 */
export async function editTree(
  store: GitStore,
  base: string | null,
  edits: readonly TreeEdit[],
): Promise<EditedTree> {
  for (const edit of edits) {
    if (!isTreePath(edit.path)) return { ok: false, why: "bad-path", path: edit.path };
    if (edit.put !== null && edit.put.type !== "commit") {
      const object = await store.info(edit.put.oid);
      if (object?.type !== edit.put.type) return { ok: false, why: "bad-object", path: edit.path };
    }
  }
  const files = new Set(edits.flatMap((edit) => (edit.put === null ? [] : [edit.path])));
  for (const path of files) {
    const parents = path
      .split("/")
      .slice(0, -1)
      .map((_, at, parts) => parts.slice(0, at + 1).join("/"));
    if (parents.some((parent) => files.has(parent))) return { ok: false, why: "bad-path", path };
  }
  const written = await writeLevel(store, base, edits, "");
  if (!written.ok) return written;
  return { ok: true, tree: written.tree ?? (await store.writeTree([])) };
}

type Level =
  | { readonly ok: true; readonly tree: string | null }
  | { readonly ok: false; readonly why: "missing-path"; readonly path: string };

async function writeLevel(
  store: GitStore,
  base: string | null,
  edits: readonly TreeEdit[],
  at: string,
): Promise<Level> {
  const entries = new Map<string, TreeEntry>();
  if (base !== null) for (const entry of (await store.tree(base)) ?? []) entries.set(entry.name, entry);
  const here = edits.filter((edit) => !edit.path.includes("/"));
  // What goes away makes room first, and what is put comes last: a folder emptied by these edits can become a file.
  for (const { path, put } of here) {
    if (put === null && !entries.delete(path)) return { ok: false, why: "missing-path", path: at + path };
  }
  for (const [name, inner] of byFolder(edits)) {
    const folder = entries.get(name);
    const level = await writeLevel(
      store,
      folder?.type === "tree" ? folder.oid : null,
      inner,
      `${at}${name}/`,
    );
    if (!level.ok) return level;
    if (level.tree === null) entries.delete(name);
    else entries.set(name, { mode: "040000", type: "tree", oid: level.tree, name });
  }
  for (const { path, put } of here) if (put !== null) entries.set(path, { ...put, name: path });
  return { ok: true, tree: entries.size === 0 ? null : await store.writeTree([...entries.values()]) };
}

/** Edits below this level, by the folder they are in, their paths relative to it. */
function byFolder(edits: readonly TreeEdit[]): Map<string, TreeEdit[]> {
  const below = new Map<string, TreeEdit[]>();
  for (const { path, put } of edits) {
    const slash = path.indexOf("/");
    if (slash < 0) continue;
    const name = path.slice(0, slash);
    const inner = below.get(name) ?? [];
    inner.push({ path: path.slice(slash + 1), put });
    below.set(name, inner);
  }
  return below;
}

/** What git's own verify_path takes, and nothing that would leave the tree or hide in it. */
function isTreePath(path: string): boolean {
  return path
    .split("/")
    .every(
      (part) =>
        part !== "" && part !== "." && part !== ".." && part.toLowerCase() !== ".git" && !/[\n\0]/.test(part),
    );
}
