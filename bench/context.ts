/** What every measure works with: one local world, and what is written down while it runs. */
import type { World } from "../dev/world/start-world.ts";
import type { WorkerLog } from "./worker-log.ts";

export type Bench = {
  readonly world: World;
  readonly log: WorkerLog;
  /** When a coding agent asked the model for a turn: milliseconds since the epoch. */
  readonly agentTurns: readonly number[];
  /** The engine's and GitHub's lines, stamped. */
  readonly lines: readonly { readonly at: number; readonly text: string }[];
  /** Aborted when the bench takes too long or is interrupted. */
  readonly stop: AbortSignal;
};
