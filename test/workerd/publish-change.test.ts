import { describe, expect, it } from "vitest";
import type { FileChange } from "../../src/domain/file-set.ts";
import { judge } from "../../src/publish/judge.ts";
import { publishChange, type Change } from "../../src/task/publish-change.ts";
import { onBench, PINNED } from "./run-bench.ts";

const NAME = "patchwright/issue-5-count-months-from-one";

function write(
  path: string,
  bytes: string | readonly number[],
  mode: "100644" | "100755" = "100644",
): FileChange {
  const raw = typeof bytes === "string" ? new TextEncoder().encode(bytes) : Uint8Array.from(bytes);
  const content = btoa(String.fromCharCode(...raw));
  return { op: "write", path, mode, size: raw.length, content };
}

function change(changes: readonly FileChange[] = [write("a.ts", "a\n")], more: Partial<Change> = {}): Change {
  const set = { base: { commit: "base", tree: "tree" }, changes, skipped: [] };
  return {
    proposal: { title: "Count months from one", brief: "March is off by one." },
    judged: judge(set),
    set,
    summary: "The month was counted from zero.",
    checks: { outcome: "passed", results: [] },
    ...more,
  };
}

describe("the files of a change", () => {
  it.each<[string, string]>([
    ["a line", "a\n"],
    ["no end of line", "a"],
    ["Windows line ends", "a\r\nb\r\n"],
    ["a byte order mark", "\ufeffa"],
    ["emoji and umlauts", "🎉 ä"],
    ["control characters", "\u0001\u001b[31m"],
  ])("go with the tree where they are text: %s", (_, text) =>
    onBench(async (bench) => {
      await publishChange(bench.run(), PINNED, change([write("a", text)]));
      expect(bench.world.trees).toEqual([[{ path: "a", mode: "100644", type: "blob", content: text }]]);
      expect(bench.world.blobs).toEqual([]);
    }),
  );

  it.each<[string, readonly number[]]>([
    ["nothing at all", []],
    ["a NUL", [0x61, 0, 0x62]],
    ["bytes that are not UTF-8", [0xff, 0xfe, 0x61]],
    ["half a character", [0x61, 0xc3]],
    ["a surrogate written as UTF-8", [0xed, 0xa0, 0x80]],
    ["a slash written too long", [0xc0, 0xaf]],
  ])("go by a blob, byte for byte, where they are not: %s", (_, bytes) =>
    onBench(async (bench) => {
      const file = write("a", bytes);
      await publishChange(bench.run(), PINNED, change([file]));
      expect(bench.world.trees).toEqual([[{ path: "a", mode: "100644", type: "blob", sha: "blob-1" }]]);
      expect(bench.world.blobs).toEqual(file.op === "write" ? [file.content] : []);
    }),
  );

  it("keep their modes and their order, and a deletion is a null", () =>
    onBench(async (bench) => {
      const files: FileChange[] = [
        write("run.sh", "a", "100755"),
        write("x.bin", [0], "100755"),
        { op: "delete", path: "old" },
      ];
      await publishChange(bench.run(), PINNED, change(files));
      expect(bench.world.trees).toEqual([
        [
          { path: "run.sh", mode: "100755", type: "blob", content: "a" },
          { path: "x.bin", mode: "100755", type: "blob", sha: "blob-1" },
          { path: "old", mode: "100644", type: "blob", sha: null },
        ],
      ]);
    }));

  it("are not sent again where GitHub was away in between, nor by a replay", () =>
    onBench(async (bench) => {
      const files = [write("a.bin", [0]), write("b.bin", [0, 1])];
      bench.world.trouble("tree", { why: "unavailable" }, { why: "unavailable" });
      await publishChange(bench.run(), PINNED, change(files));
      await publishChange(bench.run(), PINNED, change(files));
      expect(bench.world.blobs).toHaveLength(2);
      expect(bench.world.pulls).toHaveLength(1);
    }));
});

describe("the branch of a change", () => {
  it("is named after the issue and holds our commit", () =>
    onBench(async (bench) => {
      expect(await publishChange(bench.run(), PINNED, change())).toMatchObject({
        state: "opened",
        pullRequest: { number: 6, url: "u6" },
      });
      expect([...bench.world.branches]).toEqual([[NAME, "ours"]]);
    }));

  it("that was made without an answer is found to be ours", () =>
    onBench(async (bench) => {
      bench.world.trouble("createBranch", { why: "unavailable", applied: true });
      await publishChange(bench.run(), PINNED, change());
      expect([...bench.world.branches]).toEqual([[NAME, "ours"]]);
      expect(bench.world.done.filter((each) => each === "createBranch")).toHaveLength(1);
    }));

  it("that GitHub says exists is ours where it is at our commit", () =>
    onBench(async (bench) => {
      // GitHub's reads lag behind: the probe sees nothing, and the second send is answered by 422.
      bench.world.trouble("createBranch", { why: "unavailable", applied: true });
      bench.world.unseen = 1;
      expect(await publishChange(bench.run(), PINNED, change())).toMatchObject({ state: "opened" });
      expect([...bench.world.branches]).toEqual([[NAME, "ours"]]);
      expect(bench.world.done.filter((each) => each === "createBranch")).toHaveLength(2);
    }));

  it("that is someone else's is left alone: the next name is tried", () =>
    onBench(async (bench) => {
      bench.world.branches.set(NAME, "theirs");
      await publishChange(bench.run(), PINNED, change());
      expect([...bench.world.branches]).toEqual([
        [NAME, "theirs"],
        [`${NAME}-2`, "ours"],
      ]);
    }));

  it("has nine names, and then an end that says so", () =>
    onBench(async (bench) => {
      for (let n = 1; n <= 9; n++) bench.world.branches.set(n === 1 ? NAME : `${NAME}-${n}`, "theirs");
      expect(await publishChange(bench.run(), PINNED, change())).toEqual({
        state: "failed",
        why: "branch-taken",
      });
      expect(bench.world.pulls).toEqual([]);
    }));

  it("that a rule of the repository refuses is tried under no other name", () =>
    onBench(async (bench) => {
      const detail = "Repository rule violations found";
      bench.world.trouble("createBranch", { why: "invalid", detail });
      expect(await publishChange(bench.run(), PINNED, change())).toEqual({
        state: "failed",
        why: "publish-refused",
        detail,
      });
      expect(bench.world.branches.size).toBe(0);
    }));
});

describe("the pull request of a change", () => {
  it.each<[string, Change["checks"], boolean, string]>([
    ["passed", { outcome: "passed", results: [] }, false, "The tests pass"],
    [
      "passed, by tests it can bend",
      { outcome: "passed", changesHowItIsTested: "package.json", results: [] },
      true,
      "also changes `package.json`, which says how to test",
    ],
    ["failed", { outcome: "failed", results: [] }, true, "The tests fail"],
    ["are none", { outcome: "no-tests", results: [] }, true, "Not tested"],
    ["were not run", { outcome: "not-run", why: "x", results: [] }, true, "Not tested"],
  ])("whose tests %s: draft or not, and its words", (_, checks, draft, words) =>
    onBench(async (bench) => {
      const end = await publishChange(bench.run(), PINNED, change(undefined, { checks }));
      expect(end).toMatchObject({ state: "opened", draft, verdict: expect.stringContaining(words) });
      expect(bench.world.pulls).toMatchObject([{ head: NAME, draft, body: expect.stringContaining(words) }]);
    }),
  );

  it("that was opened without an answer is found, and stays closed where a person closed it", () =>
    onBench(async (bench) => {
      const meanwhile = () => {
        for (const pull of bench.world.pulls) pull.state = "closed";
      };
      bench.world.trouble("openPullRequest", { why: "unavailable", applied: true, meanwhile });
      expect(await publishChange(bench.run(), PINNED, change())).toEqual({
        state: "failed",
        why: "pull-request-closed",
      });
      expect(bench.world.pulls).toHaveLength(1);
    }));

  it("that GitHub says exists, while its list does not show it yet, is waited for and found", () =>
    onBench(async (bench) => {
      bench.world.trouble("openPullRequest", { why: "unavailable", applied: true });
      const detail = "Validation Failed: A pull request already exists for octo:x.";
      bench.world.trouble("openPullRequest", { why: "invalid", detail });
      // The first probe, the look after the refusal.
      bench.world.unseenPulls = 2;
      expect(await publishChange(bench.run(), PINNED, change())).toMatchObject({ state: "opened" });
      expect(bench.world.pulls).toHaveLength(1);
    }));

  it.each(["read", "none", "unknown"] as const)(
    "is not opened for one whose permission has become %s meanwhile, and nothing is written",
    (level) =>
      onBench(async (bench) => {
        bench.world.level = level;
        expect(await publishChange(bench.run(), PINNED, change())).toEqual({
          state: "failed",
          why: "permission-lost",
        });
        expect(bench.world.done).toEqual(["permission"]);
      }),
  );
});
