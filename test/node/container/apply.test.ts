import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isGitFolder, pathProblem } from "../../../container/tool/paths.ts";
import type { FileChange } from "../../../src/domain/file-set.ts";
import { openBench } from "./bench.ts";
import type { Bench } from "./bench.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  bench.put("a.txt", "one\n");
  bench.put("folder/deep/b.txt", "b\n");
  bench.put("other/c.txt", "c\n");
  symlinkSync("..", join(bench.root, "served/source/up"));
  await bench.checkout(bench.commit());
});
afterEach(() => bench.close());

const write = (path: string, text = "x", mode: "100644" | "100755" = "100644"): FileChange => {
  const bytes = Buffer.from(text);
  return { op: "write", path, mode, size: bytes.length, content: bytes.toString("base64") };
};
const apply = (...changes: unknown[]) => bench.tool("apply", { changes });
const here = (path: string) => join(bench.workspace, path);

it("makes the clean container hold what the agent's held", async () => {
  bench.agent(
    "mv a.txt z.txt; rm -r folder; echo f > folder; rm other/c.txt; mkdir n; echo n > n/é.sh; chmod +x n/é.sh",
  );
  const set = await bench.exported();
  await bench.checkout(set.base.commit);
  expect(await apply(...set.changes)).toEqual({ ok: true, value: { applied: set.changes.length } });
  expect((await bench.exported()).changes).toEqual(set.changes);
  expect(existsSync(here("other"))).toBe(false);
});

it.each([
  "",
  "/etc/x",
  "../x",
  "a/../../x",
  "a//b",
  "./a",
  "a/.",
  ".git/hooks/pre-commit",
  "sub/.GIT/config",
  ".git./config",
  ".git /config",
  "GIT~1/config",
  ".g\u200cit/config",
  ".git::$INDEX_ALLOCATION/config",
  "a\\b",
  "a\0b",
  "a\nb",
  "x".repeat(256),
])("refuses the path %j", (path) => {
  expect(pathProblem(path)).toBeTypeOf("string");
});

it("judges every path before it writes the first", async () => {
  for (const path of ["../x", "sub/.GIT/config"]) {
    expect(await apply(write("fine.txt"), write(path))).toMatchObject({
      ok: false,
      fault: { why: "path-refused" },
    });
    expect(await apply(write("fine.txt"), { op: "delete", path })).toMatchObject({
      fault: { why: "path-refused" },
    });
  }
  expect(existsSync(here("fine.txt"))).toBe(false);
});

it("takes names that only resemble git's", () => {
  expect(
    [".gitignore", ".github", "git", "a.git", ".git-blame-ignore-revs", "git~x"].filter(isGitFolder),
  ).toEqual([]);
});

it("refuses modes other than a file's", async () => {
  for (const mode of ["120000", "160000", "040000", "100664"]) {
    expect(await apply({ ...write("x"), mode })).toMatchObject({ fault: { why: "path-refused" } });
  }
});

it("refuses to write through a link, and may replace one", async () => {
  expect(await apply(write("up/escaped.txt"))).toMatchObject({ fault: { why: "path-refused" } });
  expect(existsSync(join(bench.root, "box/escaped.txt"))).toBe(false);
  expect(await apply({ op: "delete", path: "up/state" })).toMatchObject({ ok: true });
  expect(existsSync(bench.state)).toBe(true);
  expect(await apply(write("up", "now a file"))).toMatchObject({ ok: true });
  expect(lstatSync(here("up")).isFile()).toBe(true);
});

it("does not write through a link that leads to a file outside", async () => {
  const outside = join(bench.root, "outside");
  writeFileSync(outside, "untouched");
  symlinkSync(outside, here("hard"));
  await apply(write("hard", "changed"));
  expect(readFileSync(outside, "utf8")).toBe("untouched");
  expect(readFileSync(here("hard"), "utf8")).toBe("changed");
});

it("refuses a path that is named twice and a folder in the way", async () => {
  expect(await apply(write("x"), { op: "delete", path: "x" })).toMatchObject({
    fault: { why: "path-refused" },
  });
  expect(await apply(write("folder"))).toMatchObject({ fault: { why: "path-refused" } });
  expect(await apply({ op: "delete", path: "folder" })).toMatchObject({ fault: { why: "path-refused" } });
});

it("refuses content that is not the base64 of its size", async () => {
  expect(await apply({ ...write("x"), size: 2 })).toMatchObject({ fault: { why: "bad-input" } });
  expect(await apply({ ...write("x"), content: "%%%" })).toMatchObject({ fault: { why: "bad-input" } });
});

it("takes a delete of what is not there for done", async () => {
  expect(await apply({ op: "delete", path: "no/such" })).toEqual({ ok: true, value: { applied: 1 } });
});

it("needs a checkout", async () => {
  const empty = await openBench();
  try {
    mkdirSync(join(empty.workspace, "x"));
    expect(await empty.tool("apply", { changes: [write("a")] })).toMatchObject({
      fault: { why: "no-checkout" },
    });
    expect(readdirSync(empty.workspace)).toEqual(["x"]);
  } finally {
    await empty.close();
  }
});
