/**
 * `npm run demo`: the whole thing on one machine, without an account or a key. A person asks a question and gets an
 * answer from the repository; reports a bug and gets a pull request whose tests pass. Prints what happened, then stops.
 */
import { parseArgs } from "node:util";
import { checkBranch } from "./demo/check-branch.ts";
import { playMention, type Played } from "./demo/play-mention.ts";
import { tell, tellPlayed } from "./demo/tell.ts";
import { readDemoRepository } from "./demo-repository.ts";
import { DEMO_BUG, DEMO_QUESTION, demoScenario } from "./model/demo-scenario.ts";
import { untilSignal } from "./world/take-signals.ts";
import { startWorld } from "./world/start-world.ts";

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    agent: { type: "string", default: "claude-code" },
    engine: { type: "string", default: "local" },
  },
});

/** What this release has. Said before anything is started. */
const AGENTS = ["claude-code"];
const ENGINES = ["local"];

async function main(): Promise<boolean> {
  const { agent, engine, json } = options;
  if (!AGENTS.includes(agent))
    return refuse(`--agent ${agent} is not there yet; there is ${AGENTS.join(", ")}`);
  if (!ENGINES.includes(engine))
    return refuse(`--engine ${engine} is not there yet; there is ${ENGINES.join(", ")}`);
  const say = json ? () => undefined : tell;
  say("Starting the local world: GitHub, the model, the engine, and the Worker in workerd …");
  const world = await startWorld({ scenario: demoScenario });
  void untilSignal().then(async () => {
    await world.close();
    process.exit(130);
  });
  try {
    const repository = await world.addRepository("plainwords", await readDemoRepository());
    say(`Repository ${repository.fullName} is there, with a bug in it and a test that fails.\n`);
    const answer = await playMention(world, repository.fullName, DEMO_QUESTION);
    tellPlayed(say, "A question", DEMO_QUESTION, answer);
    const change = await playMention(world, repository.fullName, DEMO_BUG);
    tellPlayed(say, "A bug", DEMO_BUG, change);
    const branch = await checkBranch(world, repository.fullName, change.pullRequest);
    say(
      branch.ok
        ? `Fetched ${branch.branch} with git and ran its tests: they pass.`
        : `The branch: ${branch.why}`,
    );
    const result = {
      answer: { ok: isAnswer(answer), ms: answer.ms, comment: answer.comment },
      change: {
        ok: change.pullRequest !== undefined && branch.ok,
        ms: change.ms,
        pullRequest: change.pullRequest?.url,
        files: change.pullRequest?.files ?? [],
        checks: branch.ok ? "passed" : branch.why,
      },
      // Their issues come next; a demo that claimed them would lie.
      review: { ok: false, why: "not part of this release" },
      label: { ok: false, why: "not part of this release" },
      engine,
      agent,
      model: world.model === undefined ? "anthropic" : "local",
    };
    if (json) console.log(JSON.stringify(result));
    return result.answer.ok && result.change.ok;
  } finally {
    await world.close();
  }
}

function isAnswer(played: Played): boolean {
  return played.comment !== undefined && !played.comment.startsWith("**Not done.**");
}

function refuse(why: string): false {
  console.error(why);
  return false;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (thrown) {
  console.error(`The demo could not be played: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  process.exitCode = 1;
}
