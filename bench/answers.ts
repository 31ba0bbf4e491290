/**
 * From the moment GitHub sends a delivery to the moment it has the final comment, on the demo's question: a program
 * over the repository, then an answer; two turns of a model that answers at once. A new issue each time, so a new Task
 * each time; the repository's snapshot is in memory from the warm-up on, as for every repository that is in use.
 */
import { DEMO_QUESTION } from "../dev/model/demo-scenario.ts";
import type { WorldRepository } from "../dev/world/start-world.ts";
import type { Bench } from "./context.ts";
import { openMention } from "./mention.ts";
import { statsOf, type Stats } from "./stats.ts";
import { splitBySteps, type Part } from "./steps.ts";

/** Issues before the measure begins. The first of them is the cold one. */
const WARM_UP = 3;

export type Answers = {
  /** Delivery sent to final comment. */
  readonly ms: Stats;
  /** The very first one: nothing is loaded yet, no token is minted. */
  readonly coldMs: number;
  readonly steps: readonly Part[];
};

export async function measureAnswers(
  bench: Bench,
  repository: WorldRepository,
  issues: number,
): Promise<Answers> {
  const cold = await openMention(bench, repository, DEMO_QUESTION, "answered");
  for (let n = 1; n < WARM_UP; n++) await openMention(bench, repository, DEMO_QUESTION, "answered");
  const runs = [];
  for (let n = 0; n < issues; n++) runs.push(await openMention(bench, repository, DEMO_QUESTION, "answered"));
  return {
    ms: statsOf(runs.map(({ sentAt, answeredAt }) => answeredAt - sentAt)),
    coldMs: cold.answeredAt - cold.sentAt,
    steps: splitBySteps(runs),
  };
}
