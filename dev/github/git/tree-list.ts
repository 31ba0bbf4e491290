/** The entries of a tree, one level or all below it. */
import { git } from "./run.ts";
import type { TreeEntry } from "./objects.ts";
import type { GitStore } from "./store.ts";

type Listed = {
  readonly entries: readonly {
    readonly entry: TreeEntry;
    readonly path: string;
    readonly size: number | undefined;
  }[];
  /** GitHub docs: a recursive tree is cut at 100,000 entries. */
  readonly truncated: boolean;
};

const MOST_TREE_ENTRIES = 100_000;

export async function listTree(store: GitStore, oid: string, recursive: boolean): Promise<Listed> {
  const options = recursive ? ["-r", "-t"] : [];
  const out = await git(store.dir, ["ls-tree", "-z", "--long", ...options, oid]);
  const lines = out
    .toString("utf8")
    .split("\0")
    .filter((line) => line !== "");
  const entries = lines.slice(0, MOST_TREE_ENTRIES).flatMap((line) => {
    const match = /^(\d+) (blob|tree|commit) ([0-9a-f]+) +(\d+|-)\t([^]*)$/.exec(line);
    if (match === null) return [];
    // git writes no other modes; `entryMode` of objects.ts tells why old trees may still hold one.
    const [, mode = "", type = "", id = "", size = "", path = ""] = match;
    return [
      {
        entry: { mode, type, oid: id, name: path } as TreeEntry,
        path,
        size: size === "-" ? undefined : Number(size),
      },
    ];
  });
  return { entries, truncated: lines.length > MOST_TREE_ENTRIES };
}
