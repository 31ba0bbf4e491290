/** Differences between two commits or trees, as GitHub's file lists and as git's own text. */
import { git } from "./run.ts";
import type { GitStore } from "./store.ts";

export type FileDiff = {
  readonly filename: string;
  readonly previous: string | undefined;
  readonly status: "added" | "removed" | "modified" | "renamed" | "changed";
  /** Blob id at the new side, or at the old side of a removed file. */
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  /** Hunks from the first @@; undefined for binary files and pure renames. */
  readonly patch: string | undefined;
};

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Files changed from `from` (null: nothing) to `to`. Renames are found at git's default 50 %. */
export async function diffFiles(store: GitStore, from: string | null, to: string): Promise<FileDiff[]> {
  const base = from ?? EMPTY_TREE;
  const out = await git(store.dir, [
    "diff-tree",
    "-r",
    "-M",
    "--raw",
    "-z",
    "--full-index",
    "--no-color",
    "-p",
    base,
    to,
  ]);
  const text = out.toString("utf8");
  // With -z the raw records end in NUL pairs; one more NUL stands before the patch text.
  const split = text.indexOf("\0\0");
  const records = (split < 0 ? text.replace(/\0$/, "") : text.slice(0, split)).split("\0");
  const patches = split < 0 ? [] : splitPatches(text.slice(split + 2));
  const files: FileDiff[] = [];
  let section = 0;
  for (let at = 0; at < records.length;) {
    const [, , oldOid = "", newOid = "", letter = ""] = (records[at] ?? "").split(" ");
    if (letter === "") break;
    const moved = letter.startsWith("R") || letter.startsWith("C");
    const first = records[at + 1] ?? "";
    const filename = moved ? (records[at + 2] ?? "") : first;
    at += moved ? 3 : 2;
    const body = patches[section];
    // A changed type (file to symlink) is printed as a deletion and a creation: two sections, one record.
    section += letter.startsWith("T") ? 2 : 1;
    const counts = countLines(body);
    files.push({
      filename,
      previous: moved ? first : undefined,
      status: statusOf(letter),
      sha: letter.startsWith("D") ? oldOid : newOid,
      ...counts,
      patch: body,
    });
  }
  return files;
}

/** git's patch text, as the diff media type answers it. */
export async function diffText(store: GitStore, from: string | null, to: string): Promise<string> {
  const base = from ?? EMPTY_TREE;
  return (await git(store.dir, ["diff-tree", "-r", "-M", "-p", "--no-color", base, to])).toString("utf8");
}

/** Mail-format patches of the commits in `from..to`, as the patch media type answers them. */
export async function patchText(store: GitStore, from: string, to: string): Promise<string> {
  return (await git(store.dir, ["format-patch", "--stdout", "--no-signature", `${from}..${to}`])).toString(
    "utf8",
  );
}

/** Hunks per file section, in order; undefined where a section has none. */
function splitPatches(text: string): (string | undefined)[] {
  const sections: string[][] = [];
  for (const line of text.split("\n")) {
    if (line.startsWith("diff --git ")) sections.push([]);
    else sections.at(-1)?.push(line);
  }
  return sections.map((lines) => {
    const start = lines.findIndex((line) => line.startsWith("@@ "));
    if (start < 0) return undefined;
    return lines.slice(start).join("\n").replace(/\n$/, "");
  });
}

function countLines(patch: string | undefined): { additions: number; deletions: number } {
  const lines = patch?.split("\n") ?? [];
  return {
    additions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
  };
}

function statusOf(letter: string): FileDiff["status"] {
  switch (letter[0]) {
    case "A":
      return "added";
    case "D":
      return "removed";
    case "R":
      return "renamed";
    case "T":
      return "changed";
    default:
      return "modified";
  }
}
