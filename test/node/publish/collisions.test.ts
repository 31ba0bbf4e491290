import { describe, expect, it } from "vitest";
import { judge } from "../../../src/publish/judge.ts";

describe("two files of which one would have to be a folder", () => {
  it.each([
    [["a", "a/b"], ["a/b"]],
    [["a/b/c", "a/b"], ["a/b"]],
    [["A/b", "a"], ["a"]],
  ])("of %j the later is refused", (paths, refused) => {
    const changes = paths.map((path) => {
      return { op: "write" as const, path, mode: "100644" as const, size: 1, content: "eA==" };
    });
    const judged = judge({ base: { commit: "c", tree: "t" }, changes, skipped: [] });
    expect(judged.refused).toEqual(refused.map((path) => ({ path, why: "path-conflict" })));
  });

  it("while a file that becomes a folder is taken: its deletion makes room", () => {
    const changes = [
      { op: "delete" as const, path: "a" },
      { op: "write" as const, path: "a/b", mode: "100644" as const, size: 1, content: "eA==" },
    ];
    expect(judge({ base: { commit: "c", tree: "t" }, changes, skipped: [] }).refused).toEqual([]);
  });
});
