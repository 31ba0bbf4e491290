/**
 * The base commit's tree, as a table. Paths are kept as byte strings: one character per byte (latin1), so that names
 * that are no Unicode text stay themselves and sorting by character is git's order by byte.
 */
import type { Places } from "./places.ts";
import { gitHere } from "./git.ts";

/** A path or name with one character per byte. */
export type ByteString = string;

export type TreeEntry = {
  readonly mode: "100644" | "100755" | "120000" | "160000";
  readonly id: string;
  /** Bytes of the blob; 0 for a submodule. */
  readonly size: number;
};

/** Every entry of a tree, folders left out. Entries with modes git no longer writes (100664) count as 100644. */
export async function readTree(places: Places, tree: string): Promise<Map<ByteString, TreeEntry>> {
  const listing = await gitHere(places, ["ls-tree", "-r", "-z", "--long", "--full-tree", tree]);
  const entries = new Map<ByteString, TreeEntry>();
  for (const line of listing.toString("latin1").split("\0")) {
    const match = /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(line);
    if (match === null) continue;
    const [, mode = "", id = "", size = "", path = ""] = match;
    entries.set(path, { mode: modeOf(mode), id, size: size === "-" ? 0 : Number(size) });
  }
  return entries;
}

function modeOf(mode: string): TreeEntry["mode"] {
  return mode === "100755" || mode === "120000" || mode === "160000" ? mode : "100644";
}
