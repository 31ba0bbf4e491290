/** An engine with everything around it, for the tests: a Worker's stand-in for egress, and calls as the Worker makes them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FRAME, FrameReader, jsonOf } from "../../../dev/engine/frames.ts";
import { startEngine } from "../../../dev/engine/host.ts";
import type { Engine } from "../../../dev/engine/host.ts";

export const SECRET = "a secret of enough characters";
const repository = new URL("../../..", import.meta.url).pathname;

export type Execed = { readonly exitCode: number; readonly stdout: string; readonly stderr: string };

export type World = {
  readonly engine: Engine;
  readonly root: string;
  readonly log: string[];
  /** Answers what containers send out. */
  egress: (request: IncomingMessage, response: ServerResponse) => void;
  readonly callbackUrl: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  start(id: string, more?: object): Promise<Response>;
  exec(
    id: string,
    argv: readonly string[],
    more?: { stdin?: string; cwd?: string; env?: object; stderr?: string },
  ): Promise<Execed>;
  close(): Promise<void>;
};

/** The PATH entries that the engine's processes get: this Node, the agents' CLIs, the system's. */
export const PATH = [
  dirname(process.execPath),
  join(repository, "container/node_modules/.bin"),
  "/usr/local/bin",
  "/usr/bin",
  "/bin",
];

export async function openWorld(root = mkdtempSync(join(tmpdir(), "engine-"))): Promise<World> {
  const log: string[] = [];
  const callback = createServer((request, response) => world.egress(request, response));
  await new Promise<void>((resolve) => callback.listen(0, "127.0.0.1", resolve));
  const engine = await startEngine({
    root,
    secret: SECRET,
    toolCommand: [process.execPath, join(repository, "container/tool/main.ts")],
    daemonCommand: [process.execPath, join(repository, "container/daemon/main.ts")],
    path: PATH,
    log: (line) => log.push(line),
  });
  const world: World = {
    engine,
    root,
    log,
    egress: (_request, response) => response.writeHead(404).end(),
    callbackUrl: `http://127.0.0.1:${(callback.address() as AddressInfo).port}/egress`,
    call: (method, path, body, headers = {}) =>
      fetch(engine.url + path, {
        method,
        headers: { authorization: `Bearer ${SECRET}`, ...headers },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    start: (id, more = {}) =>
      world.call("POST", `/containers/${id}/start`, {
        entrypoint: ["sleep", "infinity"],
        env: {},
        labels: {},
        image: "local",
        callbackUrl: world.callbackUrl,
        ...more,
      }),
    async exec(id, argv, more = {}) {
      const { stdin, ...order } = more;
      const head = Buffer.from(JSON.stringify({ argv, env: {}, ...order })).toString("base64");
      const response = await world.call("POST", `/containers/${id}/exec`, stdin ?? "", {
        "x-engine-exec": head,
      });
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
      return readFrames(new Uint8Array(await response.arrayBuffer()));
    },
    async close() {
      await engine.close();
      callback.closeAllConnections();
      await new Promise<void>((resolve) => callback.close(() => resolve()));
      rmSync(root, { recursive: true, force: true });
    },
  };
  return world;
}

/** Take a finished exec's answer apart. */
export function readFrames(bytes: Uint8Array): Execed {
  const text = { [FRAME.stdout]: "", [FRAME.stderr]: "" };
  let exitCode = -1;
  for (const frame of new FrameReader().push(bytes)) {
    if (frame.kind === FRAME.stdout || frame.kind === FRAME.stderr)
      text[frame.kind] += Buffer.from(frame.payload).toString();
    if (frame.kind === FRAME.exit) exitCode = Number(/\d+/.exec(JSON.stringify(jsonOf(frame)))?.[0]);
  }
  return { exitCode, stdout: text[FRAME.stdout], stderr: text[FRAME.stderr] };
}

/** Wait for something that must come, however slow the machine is. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Whether a process runs; one that ended and was not yet collected does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
