/** Where the time of a request goes: its steps by name, and what is left over. */
import { meanOf } from "./stats.ts";
import type { Step } from "./worker-log.ts";

/** A part of a run, on average over the runs. */
export type Part = {
  readonly name: string;
  /** How often it comes in a run. */
  readonly times: number;
  /** Mean milliseconds of a run that go into it. */
  readonly ms: number;
};

/** A run: when its delivery was sent, its steps, and when its request had ended. Milliseconds since the epoch. */
export type Timeline = { readonly sentAt: number; readonly steps: readonly Step[]; readonly endedAt: number };

export const BEFORE = "(before the first step)";
export const BETWEEN = "(between the steps)";

/** The parts of the runs, in the order in which they first come. They add up to the mean of sent to ended. */
export function splitBySteps(runs: readonly Timeline[]): readonly Part[] {
  const names = new Set(runs.flatMap(({ steps }) => steps.map(({ name }) => foldName(name))));
  const parts = [...names].map((name) => {
    const perRun = runs.map(({ steps }) => steps.filter((step) => foldName(step.name) === name));
    return {
      name,
      times: meanOf(perRun.map((steps) => steps.length)),
      ms: meanOf(perRun.map(sumOf)),
    };
  });
  const before = runs.map(beforeFirst);
  const between = runs.map((run, index) => {
    // Never below nothing: a line that comes a little late would make it so.
    return Math.max(0, run.endedAt - run.sentAt - sumOf(run.steps) - (before[index] ?? 0));
  });
  return [
    { name: BEFORE, times: 1, ms: meanOf(before) },
    ...parts,
    { name: BETWEEN, times: meanOf(runs.map(({ steps }) => steps.length)), ms: meanOf(between) },
  ];
}

/** `turn:1.2` → `turn`, `r1:status:edit:3` → `status:edit`: what numbers tell apart is one kind of step. */
export function foldName(name: string): string {
  return name
    .replace(/#\d+$/, "")
    .split(":")
    .filter((part) => !/^r?\d+(?:\.\d+)?$/.test(part))
    .join(":");
}

/** A moment, and the name of what ended with it. Undefined where this run did not show it. */
export type Mark = { readonly name: string; readonly at: number | undefined };

/** The time between marks, each under the name of the mark it ends with. One without a time is part of the next. */
export function splitByMarks(from: number, marks: readonly Mark[]): readonly { name: string; ms: number }[] {
  let last = from;
  return marks.flatMap(({ name, at }) => {
    if (at === undefined) return [];
    const ms = at - last;
    last = at;
    return [{ name, ms }];
  });
}

/** The mean of parts of the same name over all runs; a run without one has spent nothing on it. */
export function meanParts(runs: readonly (readonly { name: string; ms: number }[])[]): readonly Part[] {
  const names = new Set(runs.flatMap((parts) => parts.map(({ name }) => name)));
  return [...names].map((name) => {
    const perRun = runs.map((parts) => parts.filter((part) => part.name === name));
    return { name, times: meanOf(perRun.map((parts) => parts.length)), ms: meanOf(perRun.map(sumOf)) };
  });
}

function beforeFirst({ sentAt, steps }: Timeline): number {
  const [first] = steps;
  return first === undefined ? 0 : Math.max(0, first.at - first.ms - sentAt);
}

function sumOf(parts: readonly { readonly ms: number }[]): number {
  return parts.reduce((sum, { ms }) => sum + ms, 0);
}
