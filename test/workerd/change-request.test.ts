import { describe, expect, it } from "vitest";
import type { FileChange } from "../../src/domain/file-set.ts";
import { changeRequest } from "../../src/task/change-request.ts";
import { onBench, PINNED } from "./run-bench.ts";

const PROPOSAL = { title: "Count months from one", brief: "March is off by one." };
const MANIFEST = { "package.json": JSON.stringify({ scripts: { test: "node --test" } }) };

const write = (path: string): FileChange => ({ op: "write", path, mode: "100644", size: 2, content: "YQo=" });

describe("a change that passes its tests", () => {
  it("is a pull request to merge", () =>
    onBench(async (bench) => {
      bench.world.files = MANIFEST;
      bench.world.changes = [write("src/months.js"), write("src/package.json")];
      expect(await changeRequest(bench.run(), PINNED, PROPOSAL)).toMatchObject({
        state: "opened",
        draft: false,
        verdict: "The tests pass, run in a clean container on exactly these files.",
        files: ["src/months.js", "src/package.json"],
      });
    }));

  it.each<[string, FileChange]>([
    ["writes", write("package.json")],
    ["deletes", { op: "delete", path: "package.json" }],
  ])("is a draft that says so where it %s the file that says how to test", (_, file) =>
    onBench(async (bench) => {
      bench.world.files = MANIFEST;
      bench.world.changes = [write("src/months.js"), file];
      expect(await changeRequest(bench.run(), PINNED, PROPOSAL)).toMatchObject({
        state: "opened",
        draft: true,
        verdict: expect.stringContaining("also changes `package.json`, which says how to test"),
      });
      expect(bench.world.pulls[0]?.body).toContain("also changes `package.json`");
    }),
  );
});

describe("a change that could not be tested", () => {
  it("because nothing says how is a draft that says so", () =>
    onBench(async (bench) => {
      bench.world.changes = [write("a.txt")];
      expect(await changeRequest(bench.run(), PINNED, PROPOSAL)).toMatchObject({
        draft: true,
        verdict: expect.stringContaining("Not tested"),
      });
    }));

  it("because the clean container was lost each time is not lost itself", () =>
    onBench(async (bench) => {
      let tries = 0;
      bench.world.files = MANIFEST;
      bench.world.changes = [write("a.txt")];
      bench.world.verify = async () => {
        tries++;
        throw new Error("container_lost");
      };
      expect(await changeRequest(bench.run(), PINNED, PROPOSAL)).toMatchObject({
        draft: true,
        verdict: "**Not tested**: the clean container was lost, each time.",
      });
      expect(tries).toBe(3);
    }));
});

describe("the agent's container", () => {
  it("is gone before anything is tested or published", () =>
    onBench(async (bench) => {
      bench.world.changes = [write("a.txt")];
      await changeRequest(bench.run(), PINNED, PROPOSAL);
      const { done } = bench.world;
      expect(done.indexOf("stop")).toBeGreaterThan(done.indexOf("export"));
      expect(done.indexOf("stop")).toBeLessThan(done.indexOf("tree"));
    }));

  it("is not asked a second time by a replay, nor is anything published twice", () =>
    onBench(async (bench) => {
      bench.world.changes = [write("a.txt")];
      const first = await changeRequest(bench.run(), PINNED, PROPOSAL);
      const before = [...bench.world.done];
      expect(await changeRequest(bench.run(), PINNED, PROPOSAL)).toEqual(first);
      expect(bench.world.done).toEqual(before);
    }));
});
