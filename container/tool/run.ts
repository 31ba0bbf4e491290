/**
 * `run`: one command in the workspace, as the agent's user, without a shell of ours. How it ended is a fact, whatever
 * the exit code. When it ends, or its time is over, everything it started is ended too.
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chownSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import type { Ran, RunOrder } from "../../src/domain/container-protocol.ts";
import { asAgent } from "./as-agent.ts";
import { errorCode, refuse } from "./faults.ts";
import { KeptOutput } from "./kept-output.ts";
import { killMarked, MARK, signalGroup } from "./leftovers.ts";
import { passedOn } from "./passed-on.ts";
import type { Places } from "./places.ts";

/** Between the polite signal and the other one. */
const GRACE_MS = 3000;
/** How long output may still arrive after the command ended: a child of it may hold the pipe. */
const DRAIN_MS = 250;

/** Run `order.argv` in workspace/`order.cwd`. Refuses with path-refused when that folder is not in the workspace. */
export async function runCommand(places: Places, order: RunOrder): Promise<Ran> {
  const cwd = folderOf(places, order.cwd);
  const home = mkdtempSync(join(tmpdir(), "home-"));
  const word = randomUUID();
  const output = new KeptOutput(order.outputBytes);
  const startedAt = performance.now();
  try {
    if (places.agent !== undefined) chownSync(home, places.agent.uid, places.agent.gid);
    const env = { ...environment(process.env), HOME: home, [MARK]: word };
    const { exit, timedOut } = await supervise(places, order, { cwd, env, output });
    return { exit, ...output.finish(), ms: Math.round(performance.now() - startedAt), timedOut };
  } finally {
    killMarked(MARK, word);
    removeHome(places, home);
  }
}

/** As the agent: a process that hid from the sweep must not steer a removal with our rights. */
function removeHome(places: Places, home: string): void {
  try {
    asAgent(places, () => rmSync(home, { recursive: true, force: true }));
  } catch {
    // Some tools close their caches (Go's modules are 0555). What is left goes with the container.
  }
}

/**
 * The folder's real path, inside the workspace. The agent may swap it afterwards; the command then runs elsewhere, but
 * still only with the agent's own rights.
 */
function folderOf(places: Places, cwd: string): string {
  try {
    const root = realpathSync(places.workspace);
    const folder = realpathSync(join(root, cwd));
    if (folder === root || folder.startsWith(root + sep)) return folder;
  } catch (thrown) {
    refuse("path-refused", `no folder ${cwd}: ${errorCode(thrown) ?? "unknown"}`);
  }
  return refuse("path-refused", `outside the workspace: ${cwd}`);
}

/** The environment of a command that people did not watch: an allow list, then the usual signs of a machine run. */
function environment(own: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return {
    ...passedOn(own),
    CI: "1",
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    TERM: "dumb",
    GIT_TERMINAL_PROMPT: "0",
  };
}

type Start = { readonly cwd: string; readonly env: Record<string, string>; readonly output: KeptOutput };

async function supervise(
  places: Places,
  order: RunOrder,
  start: Start,
): Promise<{ exit: number | null; timedOut: boolean }> {
  const [file = "", ...args] = order.argv;
  const child = spawn(file, args, {
    cwd: start.cwd,
    env: start.env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    ...places.agent,
  });
  child.stdout.on("data", (chunk: Buffer) => start.output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => start.output.push(chunk));
  let timedOut = false;
  const timers = [
    setTimeout(() => {
      timedOut = true;
      signalGroup(child.pid, "SIGTERM");
    }, order.seconds * 1000),
    setTimeout(() => signalGroup(child.pid, "SIGKILL"), order.seconds * 1000 + GRACE_MS),
  ];
  const closed = new Promise<void>((resolve) => child.on("close", () => resolve()));
  try {
    const exit = await new Promise<number | null>((resolve) => {
      child.on("exit", (code) => resolve(code));
      // A command that does not exist is a fact like any other; shells say 127.
      child.on("error", (error) => {
        start.output.push(Buffer.from(`${file}: ${errorCode(error) ?? error.message}\n`));
        resolve(127);
      });
    });
    signalGroup(child.pid, "SIGKILL");
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, DRAIN_MS))]);
    return { exit, timedOut };
  } finally {
    for (const timer of timers) clearTimeout(timer);
    child.stdout.destroy();
    child.stderr.destroy();
  }
}
