import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GitStore } from "../../../dev/github/git/store.ts";
import { editTree } from "../../../dev/github/git/tree-edit.ts";
import type { TreeEdit } from "../../../dev/github/git/tree-edit.ts";
import { listTree } from "../../../dev/github/git/tree-list.ts";

let folder: string;
let store: GitStore;
let blob: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tree-edit-"));
  store = await GitStore.create(join(folder, "x.git"), "main");
  blob = await store.writeBlob(Buffer.from("x"));
});

afterAll(async () => {
  store.close();
  await rm(folder, { recursive: true, force: true });
});

const put = (path: string): TreeEdit => ({ path, put: { mode: "100644", type: "blob", oid: blob } });
const drop = (path: string): TreeEdit => ({ path, put: null });

/** The tree of these files. */
async function treeOf(paths: readonly string[]): Promise<string> {
  const made = await editTree(store, null, paths.map(put));
  if (!made.ok) throw new Error(made.why);
  return made.tree;
}

async function filesOf(tree: string): Promise<string[]> {
  const { entries } = await listTree(store, tree, true);
  return entries
    .filter(({ entry }) => entry.type === "blob")
    .map(({ path }) => path)
    .toSorted();
}

/** True when no path is a folder of another. */
const canCoexist = (paths: readonly string[]) =>
  paths.every((path) => !paths.some((other) => other.startsWith(`${path}/`)));

describe("editing a tree", () => {
  it("is what a map of paths says it is", async () => {
    const path = fc
      .array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join("/"));
    const paths = fc.uniqueArray(path, { maxLength: 6 }).filter(canCoexist);
    await fc.assert(
      fc.asyncProperty(paths, paths, fc.infiniteStream(fc.boolean()), async (base, added, coin) => {
        const dropped = base.filter((one) => !added.includes(one) && coin.next().value);
        const edited = await editTree(store, await treeOf(base), [...dropped.map(drop), ...added.map(put)]);
        const hidden = (one: string) =>
          added.some((other) => other.startsWith(`${one}/`) || one.startsWith(`${other}/`));
        const kept = base.filter((one) => !dropped.includes(one) && !hidden(one));
        const expected = [...new Set([...kept, ...added])].toSorted();
        expect(edited.ok ? await filesOf(edited.tree) : edited).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  it("turns a folder into a file, and a file into a folder", async () => {
    const toFile = await editTree(store, await treeOf(["a/b", "a/c"]), [drop("a/b"), drop("a/c"), put("a")]);
    expect(toFile.ok ? await filesOf(toFile.tree) : toFile).toEqual(["a"]);
    const toFolder = await editTree(store, await treeOf(["a"]), [drop("a"), put("a/b")]);
    expect(toFolder.ok ? await filesOf(toFolder.tree) : toFolder).toEqual(["a/b"]);
  });

  it("refuses one path as a file and a folder at once", async () => {
    expect(await editTree(store, null, [put("a/b"), put("a")])).toEqual({
      ok: false,
      why: "bad-path",
      path: "a/b",
    });
  });

  it("names the path that is not there to delete", async () => {
    const base = await treeOf(["a/b"]);
    expect(await editTree(store, base, [drop("a/c")])).toEqual({
      ok: false,
      why: "missing-path",
      path: "a/c",
    });
  });
});
