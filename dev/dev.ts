/**
 * `npm run dev`: the local world, staying up. Writes .dev/world.json for other programs, prints how to use it, and
 * takes everything down on Ctrl-C.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readDemoRepository } from "./demo-repository.ts";
import { demoScenario } from "./model/demo-scenario.ts";
import { untilSignal } from "./world/take-signals.ts";
import { PEOPLE, ROOT, startWorld, type World } from "./world/start-world.ts";

/** Fixed, so that open pages and tools survive a restart. */
const PORTS = { github: 8788, worker: 8787 } as const;

const FILE = join(ROOT, ".dev/world.json");

const { values: options } = parseArgs({ options: { engine: { type: "string", default: "local" } } });

async function main(): Promise<void> {
  if (options.engine !== "local")
    throw new Error(`--engine ${options.engine} is not there yet; there is local`);
  const world = await startWorld({ scenario: demoScenario, ports: PORTS, log: (line) => console.log(line) });
  const repository = await world.addRepository("plainwords", await readDemoRepository());
  await mkdir(join(ROOT, ".dev"), { recursive: true });
  // Tokens of local users only, for a server that ends with this process; still nobody else's to read.
  await writeFile(FILE, `${JSON.stringify(describe(world, repository.fullName), undefined, 2)}\n`, {
    mode: 0o600,
  });
  console.log(guide(world, repository.fullName));
  await untilSignal();
  await rm(FILE, { force: true });
  await world.close();
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

function guide(world: World, repository: string): string {
  return `
The local world is up; it is described in .dev/world.json. Ctrl-C ends it.
  GitHub    ${world.github.url}/${repository}
  Worker    ${world.worker.url}/health
Open an issue as ada, who may write, and mention @${world.app.slug}:
  curl -s ${world.github.apiUrl}/repos/${repository}/issues \\
    -H "authorization: token $(node -p "require('./.dev/world.json').users.ada.token")" \\
    -d '{"title":"A question","body":"@${world.app.slug} hello"}'
The model plays the demo's scenario, or obeys directives in the text: see dev/model/directives.ts.
The containers are plain processes of this machine: no security boundary.
`;
}

try {
  await main();
} catch (thrown) {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const mend = message.includes("EADDRINUSE")
    ? `\nA port is in use (${Object.values(PORTS).join(", ")}): end the other program, perhaps another \`npm run dev\`, and try again.`
    : "";
  console.error(`The local world could not be started: ${message}${mend}`);
  process.exitCode = 1;
}
