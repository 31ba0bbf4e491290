import { describe, expect, it } from "vitest";
import { meanOf, ratioOf, statsOf } from "../../../bench/stats.ts";

describe("statsOf", () => {
  it("takes the middle value of an odd number, in whatever order they come", () => {
    expect(statsOf([30, 10, 20])).toEqual({ n: 3, min: 10, median: 20, p95: 30, max: 30 });
  });

  it("takes the mean of the two middle values of an even number", () => {
    expect(statsOf([1, 2, 4, 100]).median).toBe(3);
  });

  it("orders numbers as numbers", () => {
    expect(statsOf([9, 10, 100])).toMatchObject({ min: 9, median: 10, max: 100 });
  });

  it("gives a p95 that was measured, with one in twenty above it", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(statsOf(hundred).p95).toBe(95);
    expect(statsOf(hundred.slice(0, 20)).p95).toBe(19);
    expect(statsOf(hundred.slice(0, 19)).p95).toBe(19);
  });

  it("is one value all over for a single measurement", () => {
    expect(statsOf([7])).toEqual({ n: 1, min: 7, median: 7, p95: 7, max: 7 });
  });

  it("rounds to tenths of a millisecond", () => {
    expect(statsOf([1.234, 1.266])).toEqual({ n: 2, min: 1.2, median: 1.3, p95: 1.3, max: 1.3 });
  });

  it("refuses to summarise nothing", () => {
    expect(() => statsOf([])).toThrow(RangeError);
  });

  it("leaves the list it was given as it is", () => {
    const values = [3, 1, 2];
    statsOf(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe("meanOf and ratioOf", () => {
  it("give tenths", () => {
    expect(meanOf([1, 2, 2])).toBe(1.7);
    expect(ratioOf(10, 3)).toBe(3.3);
  });

  it("take the mean of nothing as no time", () => {
    expect(meanOf([])).toBe(0);
  });
});
