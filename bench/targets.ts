/** What the figures are held against. A target that is missed is said, and fails nothing. */
import type { Answers } from "./answers.ts";
import type { Changes } from "./changes.ts";
import { KINDS, type Deliveries } from "./deliveries.ts";

export type Results = {
  readonly deliveries: Deliveries;
  readonly answers: Answers;
  readonly changes: Changes;
};

/** Milliseconds. */
export type Target = {
  readonly name: string;
  readonly target: number;
  readonly measured: number;
  readonly met: boolean;
};

export function judgeTargets({ deliveries, answers, changes }: Results): readonly Target[] {
  const slowest = Math.max(...KINDS.map((kind) => deliveries.worker[kind].median));
  return [
    below("delivery to 202, median of the slowest kind", 50, slowest),
    below("delivery to final answer, median", 1_000, answers.ms.median),
    below("delivery to pull request less the repository's tests, median", 10_000, changes.msLessTests.median),
  ];
}

function below(name: string, target: number, measured: number): Target {
  return { name, target, measured, met: measured < target };
}
