/**
 * `npm run bench [-- --json] [-- --runs N]`: how long a delivery takes to be answered, to become an answer, and to
 * become a pull request; on one machine, against the local world, with a model that answers at once. Exits with 0 when
 * a target is missed, and says so; with 1 when something broke.
 */
import { availableParallelism, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { readDemoRepository } from "../dev/demo-repository.ts";
import { demoScenario } from "../dev/model/demo-scenario.ts";
import type { Scenario } from "../dev/model/server.ts";
import { startWorld } from "../dev/world/start-world.ts";
import { measureAnswers } from "./answers.ts";
import { measureChanges } from "./changes.ts";
import { measureDeliveries } from "./deliveries.ts";
import { report } from "./print.ts";
import { judgeTargets, type Results } from "./targets.ts";
import { watchWorkerLog } from "./worker-log.ts";

const USAGE =
  "npm run bench [-- --json] [-- --runs N], N from 1 to 10: N changes, 4 N answers, 40 N deliveries";

/** For the whole bench with five runs; more runs get more. */
const LIMIT_MINUTES = 4;

async function measure(runs: number, stop: AbortController): Promise<Results> {
  // A key in the environment would put the real provider into the world, and its thinking into the figures.
  process.env["ANTHROPIC_API_KEY"] = "";
  const agentTurns: number[] = [];
  const scenario: Scenario = (turn) => {
    if (turn.client === "claude-code") agentTurns.push(Date.now());
    return demoScenario(turn);
  };
  const lines: { at: number; text: string }[] = [];
  const world = await startWorld({ scenario, log: (text) => lines.push({ at: Date.now(), text }) });
  takeSignals(stop);
  const log = watchWorkerLog(world.worker.logs);
  try {
    const bench = { world, log, agentTurns, lines, stop: stop.signal };
    const files = await readDemoRepository();
    console.log(`Answers: ${4 * runs} issues …`);
    const answers = await measureAnswers(bench, await world.addRepository("answers", files), 4 * runs);
    console.log(`Changes: ${runs} issues …`);
    const changes = await measureChanges(bench, await world.addRepository("changes", files), runs);
    console.log(`Deliveries: ${40 * runs} of each kind …`);
    const threads = await world.addRepository("deliveries", { "README.md": "# Threads\n" });
    return { deliveries: await measureDeliveries(bench, threads, 40 * runs), answers, changes };
  } finally {
    log.close();
    await world.close();
  }
}

/**
 * An interrupt ends the bench by its own way out, which takes the world down. miniflare's own listener, there once
 * workerd runs, would end this process on the spot and leave the containers running.
 */
function takeSignals(stop: AbortController): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.removeAllListeners(signal);
    process.on(signal, () => stop.abort(new Error("interrupted")));
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { json: { type: "boolean", default: false }, runs: { type: "string", default: "5" } },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1 || runs > 10) throw new Error(`--runs ${values.runs}: ${USAGE}`);
  const stop = new AbortController();
  const limit = LIMIT_MINUTES * Math.max(1, runs / 5);
  setTimeout(() => stop.abort(new Error(`it took longer than ${limit} minutes`)), limit * 60_000).unref();
  const load = loadavg()[0] ?? 0;
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores, load ${load.toFixed(1)} before the start.`,
  );
  console.log("Absolute figures are this machine's, now; what lasts are the ratios and the shares.");
  const results = await measure(runs, stop);
  const targets = judgeTargets(results);
  console.log(report(results, targets));
  if (values.json) console.log(JSON.stringify({ ...results, targets }));
}

try {
  await main();
} catch (thrown) {
  console.error(`The bench broke: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  process.exitCode = 1;
}
