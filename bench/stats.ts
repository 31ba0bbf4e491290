/** The numbers that a list of measurements comes down to. No means for latencies: one outlier would be all they say. */

/** Milliseconds, to a tenth. `n` is how many measurements there were. */
export type Stats = {
  readonly n: number;
  readonly min: number;
  readonly median: number;
  readonly p95: number;
  readonly max: number;
};

/** @throws RangeError without a value: no measurement is no number */
export function statsOf(values: readonly number[]): Stats {
  const sorted = values.toSorted((a, b) => a - b);
  const [min] = sorted;
  const max = sorted.at(-1);
  if (min === undefined || max === undefined) throw new RangeError("there is nothing to summarise");
  return {
    n: sorted.length,
    min: tenth(min),
    median: tenth(medianOf(sorted)),
    p95: tenth(nearestRank(sorted, 0.95)),
    max: tenth(max),
  };
}

/** The mean to a tenth, for parts that are to add up; of nothing it is 0. */
export function meanOf(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return tenth(values.reduce((sum, value) => sum + value, 0) / values.length);
}

/** How many times `base` goes into `value`, to a tenth. */
export function ratioOf(value: number, base: number): number {
  return tenth(value / base);
}

/** Half of the values are at or below it; between the two middle ones of an even number. */
function medianOf(sorted: readonly number[]): number {
  const upper = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  const lower = sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The smallest measured value that at least `share` of all are at or below: one that occurred, not one between two. */
function nearestRank(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}

function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
