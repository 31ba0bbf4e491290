/**
 * The container's main process: the harness's daemon, running the agent that CF_HARNESS_ADAPTER names. It listens for
 * the Durable Object, and is ended with the container.
 */
import { randomUUID } from "node:crypto";
import { cliAdapter, serveFromEnv } from "agents/harness/container/runtime";
import { killMarked, MARK } from "../tool/leftovers.ts";
import { ownPlaces } from "../tool/places.ts";
import { agentNamed } from "./agents.ts";
import { agentEnvironment, replaceEnvironment } from "./environment.ts";
import { orderedAdapter } from "./ordered-adapter.ts";

const own = { ...process.env };
const places = ownPlaces();
const agent = agentNamed(own["CF_HARNESS_ADAPTER"]);
const word = randomUUID();
// The CLI inherits this process's environment, and so does git. The harness's token is cut here with all the rest.
replaceEnvironment(process.env, { ...agentEnvironment(own), [MARK]: word });

const adapter = cliAdapter({
  ...agent.cli,
  cwd: places.workspace,
  // Session homes belong to the agent's user; the default, under root's home, would be closed to it.
  homes: own["PATCHWRIGHT_HOMES"] ?? "/home/agent/sessions",
  ...(places.agent === undefined ? {} : { user: places.agent }),
});
const surroundings = { places, abortMs: 6000, sweep: () => killMarked(MARK, word), isLost: agent.isLost };
await serveFromEnv(orderedAdapter(adapter, surroundings), own);
