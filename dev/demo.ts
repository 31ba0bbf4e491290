/**
 * `npm run demo`: the whole thing on one machine, without an account or a key. A person asks a question and gets an
 * answer from the repository; reports a bug and gets a pull request whose tests pass. Prints what happened, then stops.
 */
import { checkBranch, type CheckedBranch } from "./demo/check-branch.ts";
import { playMention, type Played } from "./demo/play-mention.ts";
import { summary, tell, tellPlayed, type Say } from "./demo/tell.ts";
import { readDemoRepository } from "./demo-repository.ts";
import { endProgram } from "./end-program.ts";
import { DEMO_BUG, DEMO_QUESTION, demoScenario } from "./model/demo-scenario.ts";
import { chosen, readOptions } from "./world/read-options.ts";
import { takeSignals, untilStopped } from "./world/take-signals.ts";
import { startWorld, type World } from "./world/start-world.ts";

const USAGE = "npm run demo [-- --json] [-- --agent claude-code] [-- --engine local]";

type Choice = { readonly json: boolean; readonly agent: string; readonly engine: string };

function readChoice(): Choice {
  const { values } = readOptions(process.argv.slice(2), {
    options: {
      json: { type: "boolean", default: false },
      agent: { type: "string" },
      engine: { type: "string" },
    },
    usage: USAGE,
  });
  return {
    json: values.json,
    agent: chosen("agent", values.agent, ["claude-code"], USAGE),
    engine: chosen("engine", values.engine, ["local"], USAGE),
  };
}

async function main(): Promise<boolean> {
  const choice = readChoice();
  const say = choice.json ? () => undefined : tell;
  const stop = takeSignals();
  say("Starting the local world: GitHub, the model, the engine, and the Worker in workerd …");
  const world = await startWorld({
    scenario: demoScenario,
    signal: stop,
    // Not on the standard output, which belongs to --json.
    notice: (line) => console.error(line),
  });
  try {
    return await Promise.race([play(world, choice, say, stop), untilStopped(stop)]);
  } finally {
    await world.close();
  }
}

async function play(world: World, choice: Choice, say: Say, stop: AbortSignal): Promise<boolean> {
  const repository = await world.addRepository("plainwords", await readDemoRepository());
  say(`Repository ${repository.fullName} is there, with a bug in it and a test that fails.`);
  if (world.model !== undefined) {
    say("The model is a script that plays these two issues; what it says of the code, it has looked up.");
  }
  say("");
  const answer = await playMention(world, repository.fullName, DEMO_QUESTION);
  tellPlayed(say, "A question", DEMO_QUESTION, answer);
  const change = await playMention(world, repository.fullName, DEMO_BUG);
  tellPlayed(say, "A bug", DEMO_BUG, change);
  const branch = await checkBranch(world, repository.fullName, change.pullRequest, stop);
  say(
    branch.ok
      ? `Fetched ${branch.branch} with git and ran its tests: they pass.\n`
      : `The branch: ${branch.why}\n`,
  );
  const model = world.model === undefined ? "anthropic" : "local";
  say(summary(answer, change, { model, engine: choice.engine }));
  if (choice.json) console.log(JSON.stringify(resultOf(answer, change, branch, { ...choice, model })));
  return isAnswer(answer) && isChange(change, branch);
}

function resultOf(
  answer: Played,
  change: Played,
  branch: CheckedBranch,
  { engine, agent, model }: Choice & { readonly model: string },
) {
  return {
    answer: { ok: isAnswer(answer), ms: answer.ms, comment: answer.comment },
    change: {
      ok: isChange(change, branch),
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
    model,
  };
}

function isAnswer(played: Played): boolean {
  return played.comment !== undefined && !played.comment.startsWith("**Not done.**");
}

function isChange(played: Played, branch: CheckedBranch): boolean {
  return played.pullRequest !== undefined && branch.ok;
}

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (thrown) {
  endProgram(thrown, "The demo could not be played");
}
