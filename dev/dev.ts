/**
 * `npm run dev`: the local world, staying up. Writes .dev/world.json for other programs, prints how to use it and what
 * the Worker makes of each delivery, and takes everything down on Ctrl-C.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readDemoRepository } from "./demo-repository.ts";
import { endProgram } from "./end-program.ts";
import { demoScenario } from "./model/demo-scenario.ts";
import { guide } from "./world/guide.ts";
import { portsInUse } from "./world/ports-in-use.ts";
import { chosen, readOptions } from "./world/read-options.ts";
import { takeSignals, untilStopped } from "./world/take-signals.ts";
import { PEOPLE, ROOT, startWorld, type World } from "./world/start-world.ts";

/** Fixed, so that open pages and tools survive a restart. */
const PORTS = { github: 8788, worker: 8787 } as const;

const FOLDER = join(ROOT, ".dev");
const FILE = join(FOLDER, "world.json");

const USAGE = "npm run dev [-- --engine local]";

async function main(): Promise<void> {
  const { values } = readOptions(process.argv.slice(2), {
    options: { engine: { type: "string" } },
    usage: USAGE,
  });
  chosen("engine", values.engine, ["local"], USAGE);
  const stop = takeSignals();
  const taken = await portsInUse(Object.values(PORTS));
  if (taken.length > 0) {
    throw new Error(
      `port ${taken.join(" and ")} of 127.0.0.1 is in use; end the other program, perhaps another \`npm run dev\`, and try again`,
    );
  }
  const world = await startWorld({
    scenario: demoScenario,
    ports: PORTS,
    log: print,
    notice: print,
    signal: stop,
  });
  try {
    const repository = await world.addRepository("plainwords", await readDemoRepository());
    await mkdir(FOLDER, { recursive: true });
    // Tokens of local users only, for a server that ends with this process; still nobody else's to read.
    await writeFile(FILE, `${JSON.stringify(describe(world, repository.fullName), undefined, 2)}\n`, {
      mode: 0o600,
    });
    console.log(guide(world, repository.fullName));
    await untilStopped(stop);
  } finally {
    await rm(FILE, { force: true });
    await world.close();
  }
}

function print(line: string): void {
  console.log(line);
}

function describe(world: World, repository: string) {
  const users = Object.entries(world.users).map(([login, { token }]) => {
    const permission = Object.entries(PEOPLE).find(([name]) => name === login)?.[1] ?? "none";
    return [login, { token, permission }] as const;
  });
  return {
    api: world.github.apiUrl,
    git: world.github.url,
    web: world.github.url,
    worker: world.worker.url,
    app: world.app,
    users: Object.fromEntries(users),
    repository,
  };
}

try {
  await main();
} catch (thrown) {
  endProgram(thrown, "The local world could not be started");
}
