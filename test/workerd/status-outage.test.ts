import { describe, expect, it } from "vitest";
import type { RequestEnd } from "../../src/domain/request.ts";
import { giveUp } from "../../src/task/give-up.ts";
import { onBench, type Bench } from "./run-bench.ts";

const END: Exclude<RequestEnd, { state: "refused" }> = { state: "answered", text: "In a.ts.", looked: [] };
const texts = ({ world }: Bench) => [...world.comments.values()];
const trouble = (bench: Bench, method: string, times: number) => {
  for (let n = 0; n < times; n++) bench.world.trouble(method, { why: "unavailable" });
};

describe("the end of a request", () => {
  it("is written over a first comment that was posted without an answer and could not be looked for in time", () =>
    onBench(async (bench) => {
      const { status } = bench.run();
      bench.world.trouble("comment", { why: "unavailable", applied: true });
      // Every look after it fails, until the first comment's tries are spent.
      trouble(bench, "findComment", 7);
      await status.say({ doing: "reading" });
      expect(texts(bench)).toEqual([expect.stringContaining("reading")]);
      await status.finish(END);
      expect(texts(bench)).toEqual([expect.stringContaining("In a.ts.")]);
    }));

  it("is written over an edit of ours whose answer was lost for good: it is ours, not a person's", () =>
    onBench(async (bench) => {
      const { status } = bench.run();
      await status.say({ doing: "reading" });
      bench.world.trouble("editComment", { why: "unavailable", applied: true });
      trouble(bench, "editComment", 7);
      await status.say({ doing: "writing" });
      expect(texts(bench)).toEqual([expect.stringContaining("writing")]);
      await status.finish(END);
      expect(texts(bench)).toEqual([expect.stringContaining("In a.ts.")]);
    }));

  it("by giving up is written over it as well", () =>
    onBench(async (bench) => {
      const run = bench.run();
      bench.store.putValue("r1", "admitted", true);
      await run.status.say({ doing: "reading" });
      bench.world.trouble("editComment", { why: "unavailable", applied: true });
      trouble(bench, "editComment", 7);
      await run.status.say({ doing: "writing" });
      await giveUp(bench.run("give-up:"));
      expect(texts(bench)).toEqual([expect.stringContaining("Not done")]);
    }));
});
