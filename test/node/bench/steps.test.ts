import { describe, expect, it } from "vitest";
import { BEFORE, BETWEEN, foldName, meanParts, splitByMarks, splitBySteps } from "../../../bench/steps.ts";

describe("foldName", () => {
  it.each([
    ["permission", "permission"],
    ["permission:publish", "permission:publish"],
    ["turn:2.1", "turn"],
    ["program:1.1", "program"],
    ["r12:status", "status"],
    ["r1:status:edit:3", "status:edit"],
    ["coder:wait:r1.2:1", "coder:wait"],
    ["r1:branch:1", "branch"],
    ["head#2", "head"],
    ["turn:10.3#2", "turn"],
  ])("makes %s one with %s", (name, folded) => {
    expect(foldName(name)).toBe(folded);
  });
});

describe("splitBySteps", () => {
  const run = {
    sentAt: 1_000,
    steps: [
      { name: "head", ms: 10, at: 1_030 },
      { name: "turn:1.1", ms: 40, at: 1_075 },
      { name: "turn:2.1", ms: 20, at: 1_100 },
    ],
    endedAt: 1_104,
  };

  it("adds steps of one kind, and names what is before and between them", () => {
    expect(splitBySteps([run])).toEqual([
      { name: BEFORE, times: 1, ms: 20 },
      { name: "head", times: 1, ms: 10 },
      { name: "turn", times: 2, ms: 60 },
      { name: BETWEEN, times: 3, ms: 14 },
    ]);
  });

  it("adds up to the time from sent to ended, on average", () => {
    const other = { sentAt: 0, steps: [{ name: "head", ms: 5, at: 30 }], endedAt: 50 };
    const parts = splitBySteps([run, other]);
    expect(parts.reduce((sum, { ms }) => sum + ms, 0)).toBeCloseTo((104 + 50) / 2);
    expect(parts.find(({ name }) => name === "turn")).toEqual({ name: "turn", times: 1, ms: 30 });
  });
});

describe("splitByMarks", () => {
  it("gives each mark the time since the one before", () => {
    const marks = [
      { name: "started", at: 130 },
      { name: "asked", at: 150 },
    ];
    expect(splitByMarks(100, marks)).toEqual([
      { name: "started", ms: 30 },
      { name: "asked", ms: 20 },
    ]);
  });

  it("puts a mark that was not seen into the next", () => {
    const marks = [
      { name: "started", at: undefined },
      { name: "asked", at: 150 },
    ];
    expect(splitByMarks(100, marks)).toEqual([{ name: "asked", ms: 50 }]);
  });
});

describe("meanParts", () => {
  it("counts a run that lacks a part as one without time in it", () => {
    expect(meanParts([[{ name: "start", ms: 10 }], []])).toEqual([{ name: "start", times: 0.5, ms: 5 }]);
  });
});
