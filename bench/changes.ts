/**
 * From the moment GitHub sends a delivery to the moment it has the pull request, on the demo's bug: the real coding
 * agent in a container of the local engine, its model answering at once, then the repository's tests in a second one.
 */
import { z } from "zod";
import type { AuditEntry } from "../dev/github/options.ts";
import { DEMO_BUG } from "../dev/model/demo-scenario.ts";
import type { WorldRepository } from "../dev/world/start-world.ts";
import type { Bench } from "./context.ts";
import { coderParts, verifyParts } from "./inside-steps.ts";
import { openMention, type Mention } from "./mention.ts";
import { timeOwnTests } from "./own-tests.ts";
import { statsOf, type Stats } from "./stats.ts";
import { meanParts, splitBySteps, type Part } from "./steps.ts";

export type Changes = {
  /** Delivery sent to pull request opened. */
  readonly ms: Stats;
  /** The same without the one run of the repository's tests in the clean container. */
  readonly msLessTests: Stats;
  /** The run before the measure began. */
  readonly coldMs: number;
  /** One run of the repository's own tests: as the pull requests say, to a tenth of a second, and in a clone. */
  readonly tests: { readonly inPullRequest: Stats; readonly byHand: Stats };
  readonly steps: readonly Part[];
  /** Inside the step that waits for the agent, and the one that tests in the clean container. */
  readonly coder: readonly Part[];
  readonly verify: readonly Part[];
};

type Run = { readonly mention: Mention; readonly openedAt: number; readonly testsMs: number };

export async function measureChanges(
  bench: Bench,
  repository: WorldRepository,
  runs: number,
): Promise<Changes> {
  const cold = await change(bench, repository);
  const measured: Run[] = [];
  for (let n = 0; n < runs; n++) measured.push(await change(bench, repository));
  const took = ({ mention, openedAt }: Run) => openedAt - mention.sentAt;
  return {
    ms: statsOf(measured.map(took)),
    msLessTests: statsOf(measured.map((run) => took(run) - run.testsMs)),
    coldMs: took(cold),
    tests: {
      inPullRequest: statsOf(measured.map(({ testsMs }) => testsMs)),
      byHand: statsOf(await timeOwnTests(bench.world, repository.fullName)),
    },
    steps: splitBySteps(measured.map(({ mention }) => mention)),
    coder: meanParts(measured.map(({ mention }) => coderParts(bench, mention))),
    verify: meanParts(measured.map(({ mention, testsMs }) => verifyParts(mention, testsMs))),
  };
}

async function change(bench: Bench, repository: WorldRepository): Promise<Run> {
  const mention = await openMention(bench, repository, DEMO_BUG, "opened");
  const opening = mention.audit.findLast(opensPull);
  if (opening === undefined) throw new Error("GitHub has no record of the pull request");
  return { mention, openedAt: opening.at, testsMs: testsIn(opening) };
}

function opensPull({ method, path, status }: AuditEntry): boolean {
  return method === "POST" && path.endsWith("/pulls") && status === 201;
}

/** What the pull request's text says of its tests: "passed in 0.6 s". */
function testsIn({ body }: AuditEntry): number {
  const text = z.object({ body: z.string() }).parse(body).body;
  const [, seconds] = /: passed in (\d+\.\d) s\b/.exec(text) ?? [];
  if (seconds === undefined) throw new Error("the pull request does not say that its tests passed");
  return Number(seconds) * 1_000;
}
