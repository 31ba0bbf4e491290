/**
 * The Worker's own lines, each stamped as it comes: its "step" lines say how long a step took and not when. A line is
 * seen within a few milliseconds of its writing, so durations are the Worker's and only places in time are ours.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

export type Step = {
  readonly name: string;
  /** As the Worker measured it. */
  readonly ms: number;
  /** When it ended: milliseconds since the epoch. */
  readonly at: number;
};

export type Ended = { readonly state: string; readonly why: string | undefined; readonly at: number };

export type WorkerLog = {
  /** The steps of a Task so far, in order. */
  steps(task: string): readonly Step[];
  /** Waits for the end of a Task's first request. Rejects with `stop`'s reason when it is aborted. */
  ended(task: string, stop: AbortSignal): Promise<Ended>;
  close(): void;
};

/** How often new lines are looked for. */
const LOOK_MS = 1;

const Line = z.discriminatedUnion("event", [
  z.object({ event: z.literal("step"), task: z.string(), step: z.string(), ms: z.number() }),
  z.object({
    event: z.literal("request.ended"),
    task: z.string(),
    state: z.string(),
    why: z.string().optional(),
  }),
]);

/** @param lines a list that grows at its end */
export function watchWorkerLog(lines: readonly string[]): WorkerLog {
  const steps = new Map<string, Step[]>();
  const ends = new Map<string, Ended>();
  let seen = lines.length;
  const look = () => {
    for (; seen < lines.length; seen++) {
      const line = readLine(lines[seen] ?? "");
      if (line === undefined) continue;
      const at = Date.now();
      if (line.event === "step") {
        const list = steps.get(line.task) ?? [];
        list.push({ name: line.step, ms: line.ms, at });
        steps.set(line.task, list);
      } else if (!ends.has(line.task)) ends.set(line.task, { state: line.state, why: line.why, at });
    }
  };
  const timer = setInterval(look, LOOK_MS);
  return {
    steps: (task) => steps.get(task) ?? [],
    ended: async (task, stop) => {
      for (;;) {
        const end = ends.get(task);
        if (end !== undefined) return end;
        stop.throwIfAborted();
        await sleep(LOOK_MS);
      }
    },
    close: () => clearInterval(timer),
  };
}

/** Undefined for every other line: libraries write theirs as well. */
function readLine(text: string): z.infer<typeof Line> | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return Line.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
