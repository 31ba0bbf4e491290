import { describe, expect, it } from "vitest";
import type { GitHubFault } from "../../src/domain/github-fault.ts";
import type { RequestEnd } from "../../src/domain/request.ts";
import { giveUp } from "../../src/task/give-up.ts";
import { marker } from "../../src/report/status-comment.ts";
import { runRequest } from "../../src/task/run-request.ts";
import { onBench, TASK, type Bench } from "./run-bench.ts";

const END: Exclude<RequestEnd, { state: "refused" }> = { state: "answered", text: "In a.ts.", looked: [] };

/** A run that says two things and ends. */
async function play({ status }: ReturnType<Bench["run"]>): Promise<void> {
  await status.say({ doing: "reading" });
  await status.say({ doing: "writing" });
  await status.finish(END);
}

const texts = ({ world }: Bench) => [...world.comments.values()];
const count = ({ world }: Bench, method: string) => world.done.filter((each) => each === method).length;

describe("the status comment", () => {
  it("is posted once and edited after that, and a replay adds nothing", () =>
    onBench(async (bench) => {
      await play(bench.run());
      expect(texts(bench)).toEqual([expect.stringContaining("In a.ts.")]);
      expect(bench.world.done).toEqual(["comment", "editComment", "editComment"]);
      await play(bench.run());
      expect(bench.world.done).toHaveLength(3);
    }));

  it.each<GitHubFault["why"]>(["unavailable", "unauthorised", "forbidden", "gone", "invalid"])(
    "that cannot be posted (%s) stops nothing, and the end is posted",
    (why) =>
      onBench(async (bench) => {
        const { status } = bench.run();
        bench.world.broken("comment", { why });
        await status.say({ doing: "reading" });
        await status.say({ doing: "writing" });
        bench.world.trouble("comment");
        await status.finish(END);
        expect(texts(bench)).toEqual([expect.stringContaining("In a.ts.")]);
      }),
  );

  it("that was posted without an answer is found, and ends as the only one", () =>
    onBench(async (bench) => {
      const { status } = bench.run();
      bench.world.trouble("comment", { why: "unavailable", applied: true });
      await status.say({ doing: "reading" });
      await status.finish(END);
      expect(texts(bench)).toEqual([expect.stringContaining("In a.ts.")]);
      expect(count(bench, "comment")).toBe(1);
    }));

  it("that cannot be edited stops nothing, and the end is written over it", () =>
    onBench(async (bench) => {
      const { status } = bench.run();
      await status.say({ doing: "reading" });
      bench.world.broken("editComment", { why: "unavailable" });
      await status.say({ doing: "writing" });
      bench.world.trouble("editComment");
      await status.finish(END);
      expect(texts(bench)).toEqual([expect.stringContaining("In a.ts.")]);
    }));

  it("that can never be posted ends without a throw, after the many tries of an end", () =>
    onBench(async (bench) => {
      bench.world.broken("comment", { why: "unavailable" });
      await play(bench.run());
      expect(count(bench, "comment")).toBe(8 + 30);
    }));
});

describe("a status comment of which a person had", () => {
  const touch: [string, (bench: Bench) => void][] = [
    ["edited it", ({ world }) => world.comments.set(901, "I know better.")],
    ["deleted it", ({ world }) => world.comments.delete(901)],
  ];

  it.each(touch)("%s is left alone, and the end is said in one comment of its own", (how, act) =>
    onBench(async (bench) => {
      const { status } = bench.run();
      await status.say({ doing: "reading" });
      act(bench);
      await status.say({ doing: "writing" });
      expect(count(bench, "comment")).toBe(1);
      await status.finish(END);
      const left = how === "edited it" ? ["I know better."] : [];
      expect(texts(bench)).toEqual([...left, expect.stringContaining("In a.ts.")]);
      expect(texts(bench).at(-1)).toContain(marker(TASK, "r1-end"));
      expect(texts(bench).at(-1)).not.toContain(marker(TASK, "r1"));
    }),
  );

  it.each(touch)(
    "%s gets one such comment, also where its answer is lost and the run is played again",
    (_, act) =>
      onBench(async (bench) => {
        const { status } = bench.run();
        await status.say({ doing: "reading" });
        act(bench);
        bench.world.trouble("comment", { why: "unavailable", applied: true });
        await status.finish(END);
        const after = texts(bench);
        const again = bench.run();
        await again.status.say({ doing: "reading" });
        await again.status.finish(END);
        expect(texts(bench)).toEqual(after);
        expect(count(bench, "comment")).toBe(2);
      }),
  );
});

describe("a run that is given up", () => {
  const internal = { state: "failed", why: "internal" };

  it.each(["none", "read", "unknown"] as const)("for one whose permission is %s says nothing", (level) =>
    onBench(async (bench) => {
      bench.world.level = level;
      expect(await runRequest(bench.run())).toEqual({ state: "refused", because: `permission-${level}` });
      const before = bench.world.done.length;
      expect(await giveUp(bench.run("give-up:"))).toEqual(internal);
      expect(bench.world.done).toHaveLength(before);
      expect(texts(bench)).toEqual([]);
    }),
  );

  it("before anyone was asked for the permission says nothing", () =>
    onBench(async (bench) => {
      expect(await giveUp(bench.run("give-up:"))).toEqual(internal);
      expect(bench.world.done).toEqual([]);
    }));

  it("for one who was admitted says so in the comment that is there", () =>
    onBench(async (bench) => {
      // The small world's repository cannot be read: that is a defect, as far as the run can tell.
      await expect(runRequest(asking(bench.run()))).rejects.toThrow("not in this test");
      expect(texts(bench)).toEqual([expect.stringContaining("Working on it")]);
      expect(await giveUp(bench.run("give-up:"))).toEqual(internal);
      expect(texts(bench)).toEqual([expect.stringContaining("Something in me broke")]);
      expect(count(bench, "comment")).toBe(1);
    }));

  it("says so once, however often that is played again", () =>
    onBench(async (bench) => {
      bench.store.putValue("r1", "admitted", true);
      await giveUp(bench.run("give-up:"));
      const { done } = bench.world;
      const before = [...done];
      await giveUp(bench.run("give-up:"));
      expect(done).toEqual(before);
      expect(texts(bench)).toEqual([expect.stringContaining("Something in me broke")]);
    }));
});

/** The same run, asked for something. */
function asking(run: ReturnType<Bench["run"]>): ReturnType<Bench["run"]> {
  return { ...run, request: { ...run.request, instruction: "why?" } };
}
