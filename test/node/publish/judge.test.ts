import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileChange, FileMode, FileSet } from "../../../src/domain/file-set.ts";
import { judge, PUBLISH_CAPS, refusePath } from "../../../src/publish/judge.ts";
import { gitTakes } from "./second-judge.ts";

function write(path: string, size = 1, mode: FileMode = "100644"): FileChange {
  return { op: "write", path, mode, size, content: "" };
}

function set(...changes: FileChange[]): FileSet {
  return { base: { commit: "c", tree: "t" }, changes, skipped: [] };
}

const refusedIn = (...changes: FileChange[]) => judge(set(...changes)).refused;

/** Refused by git as well: nothing else could be made of them. */
const GIT_REFUSES = [
  ["", "path-not-plain"],
  ["/etc/passwd", "path-not-plain"],
  ["//host/share", "path-not-plain"],
  [".", "path-not-plain"],
  ["..", "path-not-plain"],
  ["../x", "path-not-plain"],
  ["a/../b", "path-not-plain"],
  ["a/..", "path-not-plain"],
  ["a/./b", "path-not-plain"],
  ["./a", "path-not-plain"],
  ["a//b", "path-not-plain"],
  ["a/", "path-not-plain"],
  [".git/config", "git-internals"],
  [".git/hooks/post-checkout", "git-internals"],
  [".GIT/config", "git-internals"],
  [".Git", "git-internals"],
  ["a/.git/config", "git-internals"],
  ["a/b/.gIt", "git-internals"],
  [".git /config", "git-internals"],
  [".git./config", "git-internals"],
  [".git. . ./config", "git-internals"],
  [".git::$INDEX_ALLOCATION/config", "git-internals"],
  [".git:x", "git-internals"],
  ["git~1/config", "git-internals"],
  ["GIT~1/config", "git-internals"],
  [".g\u200cit/config", "path-not-plain"],
  [".git\u200d/config", "path-not-plain"],
  ["\ufeff.git/config", "path-not-plain"],
  [".gi\u202et", "path-not-plain"],
] as const;

/**
 * Taken by git and refused by us: a backslash is a separator on Windows (where git refuses it too); control and format
 * characters hide what a path is from a reviewer; other 8.3 names and compatibility forms of .git reach it on some file systems; long names do not check out everywhere; the rest
 * runs with the repository's secrets, decides who may, or steers the next agent.
 */
const STRICTER = [
  ["a\\b", "path-not-plain"],
  ["..\\x", "path-not-plain"],
  ["a\nb", "path-not-plain"],
  ["a\tb", "path-not-plain"],
  ["a\u001b[31mb", "path-not-plain"],
  ["a\u007f", "path-not-plain"],
  ["a\u0085b", "path-not-plain"],
  ["a\u00adb", "path-not-plain"],
  ["a\u200bb", "path-not-plain"],
  ["photo\u202egnp.exe", "path-not-plain"],
  ["a\u2066b", "path-not-plain"],
  ["a\u{e0041}b", "path-not-plain"],
  ["git~2/config", "git-internals"],
  ["．git/config", "git-internals"],
  ["x".repeat(256), "path-too-long"],
  [`a/${"é".repeat(128)}`, "path-too-long"],
  [`${"a/".repeat(2_048)}b`, "path-too-long"],
  [".github/workflows/ci.yml", "protected"],
  [".GitHub/Workflows/ci.yml", "protected"],
  [".github/workflows", "protected"],
  [".github/actions/setup/action.yml", "protected"],
  [".github/patchwright.yml", "protected"],
  [".github/Patchwright.YAML", "protected"],
  ["CODEOWNERS", "protected"],
  ["docs/CodeOwners", "protected"],
  [".github/CODEOWNERS", "protected"],
  [".gitmodules", "protected"],
] as const;

const TAKEN = [
  "a",
  "src/a.ts",
  ".gitignore",
  ".gitattributes",
  "a/.gitkeep",
  ".github/dependabot.yml",
  ".github/ISSUE_TEMPLATE/bug.md",
  "git/config",
  ".gitx",
  "x.git/config",
  "git~/a",
  "...",
  "..a",
  "a..b",
  "-rf",
  "--help",
  "$(curl x)",
  "; rm -rf",
  "a b.txt",
  "a'b\"c",
  "*?[a]",
  "日本語/ファイル.md",
  "🎉.txt",
  "e\u0301.txt",
  "x".repeat(255),
  "docs/agents.mdx",
  "src/claude.ts",
  "workflows/ci.yml",
  "a/.github/workflows/ci.yml",
  "codeowners/x",
];

describe("a path", () => {
  it.each(GIT_REFUSES)("%j is refused as %s, and by git", async (path, why) => {
    expect(refusePath(path)).toBe(why);
    expect(await gitTakes(path)).toBe(false);
  });

  it.each(STRICTER)("%j is refused as %s, though git takes it", async (path, why) => {
    expect(refusePath(path)).toBe(why);
    if (path.length < 4_096) expect(await gitTakes(path)).toBe(true);
  });

  it.each(TAKEN)("%j is taken, and by git", async (path) => {
    expect(refusePath(path)).toBeUndefined();
    expect(await gitTakes(path)).toBe(true);
  });

  it.each([
    ["a NUL", "a\0b"],
    ["half a surrogate pair", "a\ud83db"],
  ])("that no command line can carry is refused: %s", (_, path) => {
    expect(refusePath(path)).toBe("path-not-plain");
  });

  it("that git refuses is never taken, whatever it is made of", async () => {
    const bits = fc.constantFrom(
      ".git",
      ".",
      "..",
      "/",
      "git~1",
      " ",
      ":",
      "\\",
      "G",
      "i",
      "t",
      ".Git",
      "a",
      "~1",
      "\u200c",
    );
    const paths = fc.sample(
      fc.array(bits, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("")),
      {
        numRuns: 250,
        seed: 7,
      },
    );
    const taken = paths.filter((path) => refusePath(path) === undefined);
    expect(taken.length).toBeGreaterThan(10);
    for (const path of taken) expect([path, await gitTakes(path)]).toEqual([path, true]);
  });

  it("that is taken splits into plain names only", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (path) => {
        if (refusePath(path) !== undefined) return;
        expect(path).not.toMatch(/^\/|\\|[\0-\x1f\x7f]|\/\/|\/$/);
        for (const name of path.split("/")) expect(["", ".", "..", ".git"]).not.toContain(name.toLowerCase());
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("a set of files", () => {
  it("is delivered without what is refused, in its order", () => {
    const good = [write("b"), write("a"), { op: "delete", path: "c" }] as const;
    const judged = judge(set(good[0], write(".git/x"), good[1], write("AGENTS.md"), good[2]));
    expect(judged.accepted).toEqual(good);
    expect(judged.refused).toEqual([
      { path: ".git/x", why: "git-internals" },
      { path: "AGENTS.md", why: "agent-file" },
    ]);
  });

  it("may hold exactly as many files as the cap, and not one more", () => {
    const files = Array.from({ length: PUBLISH_CAPS.files }, (_, n) => write(`f${n}`));
    expect(refusedIn(...files)).toEqual([]);
    expect(refusedIn(...files, write("last"))).toEqual([{ path: "last", why: "too-many" }]);
    expect(refusedIn(...files, { op: "delete", path: "last" })).toEqual([{ path: "last", why: "too-many" }]);
  });

  it("may hold a file of exactly the cap, and not one byte more", () => {
    expect(refusedIn(write("a", PUBLISH_CAPS.fileBytes))).toEqual([]);
    expect(refusedIn(write("a", PUBLISH_CAPS.fileBytes + 1))).toEqual([{ path: "a", why: "too-large" }]);
  });

  it("may hold exactly the cap in all; what does not fit any more makes room for what does", () => {
    const full = ["a", "b", "c", "d", "e"].map((path) => write(path, PUBLISH_CAPS.fileBytes));
    expect(refusedIn(...full)).toEqual([]);
    expect(refusedIn(...full, write("f", 1), write("g", 0))).toEqual([{ path: "f", why: "too-large" }]);
  });

  it.each([
    ["120000", "symlink"],
    ["160000", "submodule"],
  ] as const)("holds nothing of mode %s", (mode, why) => {
    expect(refusedIn(write("a", 1, mode))).toEqual([{ path: "a", why }]);
  });

  it("keeps executables executable", () => {
    expect(judge(set(write("run.sh", 1, "100755"))).accepted).toEqual([write("run.sh", 1, "100755")]);
  });

  it.each([
    ["README.md", "readme.md"],
    ["a/B", "A/b"],
    ["caf\u00e9", "cafe\u0301"],
    ["a", "a"],
  ])("holds %j once: %j is the same file elsewhere", (first, second) => {
    expect(refusedIn(write(first), write(second))).toEqual([{ path: second, why: "case-collision" }]);
  });

  it("may rename a file to another case: one is deleted, one is written", () => {
    expect(refusedIn({ op: "delete", path: "Readme.md" }, write("README.md"))).toEqual([]);
    expect(refusedIn(write("README.md"), { op: "delete", path: "Readme.md" })).toEqual([]);
  });

  it("may not delete what it may not write", () => {
    expect(refusedIn({ op: "delete", path: "CODEOWNERS" }, { op: "delete", path: "../x" })).toEqual([
      { path: "CODEOWNERS", why: "protected" },
      { path: "../x", why: "path-not-plain" },
    ]);
  });

  it("loses nothing silently, whatever is in it", () => {
    const path = fc.oneof(
      fc.constantFrom("a", "A", ".git/x", "AGENTS.md", "b/c"),
      fc.string({ maxLength: 8 }),
    );
    const change = fc.oneof(
      path.map((each): FileChange => ({ op: "delete", path: each })),
      fc
        .tuple(
          path,
          fc.constantFrom<FileMode>("100644", "100755", "120000", "160000"),
          fc.nat(2 * PUBLISH_CAPS.fileBytes),
        )
        .map(([each, mode, size]) => write(each, size, mode)),
    );
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const { accepted, refused } = judge(set(...changes));
        expect(accepted.length + refused.length).toBe(changes.length);
        expect(accepted.every((each) => changes.includes(each))).toBe(true);
        const bytes = accepted.reduce((sum, each) => sum + (each.op === "write" ? each.size : 0), 0);
        expect(bytes).toBeLessThanOrEqual(PUBLISH_CAPS.totalBytes);
      }),
    );
  });
});
