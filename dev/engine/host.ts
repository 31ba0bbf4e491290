/**
 * The local engine: on a machine without Docker it stands in for Cloudflare Containers, so that the same Worker runs
 * unchanged above it. A "container" is a folder and a process group on this machine.
 *
 * IT IS NO SECURITY BOUNDARY. Its processes run as the developer's own user, can read that user's files and can reach
 * the network if they ignore their proxy settings. It is for trying Patchwright with people and models you trust.
 */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync } from "node:fs";
import type { Duplex } from "node:stream";
import { startBox } from "./box.ts";
import type { Box, Status } from "./box.ts";
import { answerCall } from "./calls.ts";
import { forwardRequest, forwardUpgrade } from "./forward.ts";
import { holdRoot } from "./hold-root.ts";
import { removeEarlier } from "./remove-box.ts";
import { authorised, parseCall } from "./route.ts";
import type { EngineOptions, StartOrder } from "./settings.ts";
import { startKeeper } from "./start-keeper.ts";

export type { EngineOptions } from "./settings.ts";

export type Engine = {
  /** Where the Worker reaches it. */
  readonly url: string;
  /** End every container, then the engine. */
  close(): Promise<void>;
  /** The containers that run. */
  list(): readonly Status[];
};

/** The containers by id, one start at a time for each. */
export type Boxes = {
  get(id: string): Box | undefined;
  start(id: string, order: StartOrder): Promise<Box>;
  /** Process ids of commands executed in a container, which callers may signal. */
  commands(id: string): Set<number>;
};

const WARNING = "local engine: no security boundary; agents run on this machine, as";

/** Start the engine on 127.0.0.1. Rejects when `root` is another engine's that still runs. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  if (options.secret.length < 16) throw new Error("the engine's secret needs 16 characters or more");
  options.log?.(
    `${WARNING} ${options.agentUser === undefined ? "your own user" : `user ${options.agentUser.uid}`}`,
  );
  mkdirSync(options.root, { recursive: true, mode: options.agentUser === undefined ? 0o700 : 0o711 });
  const releaseRoot = holdRoot(options.root);
  await removeEarlier(options.root);
  const keeper = startKeeper();

  const running = new Map<string, Box>();
  const starting = new Map<string, Promise<Box>>();
  const commands = new Map<string, Set<number>>();
  let closing = false;
  const boxes: Boxes = {
    get: (id) => running.get(id),
    commands(id) {
      const set = commands.get(id) ?? new Set<number>();
      commands.set(id, set);
      return set;
    },
    async start(id, order) {
      if (closing || starting.has(id) || running.get(id)?.status.running === true)
        throw new Error("already running");
      // Its folder may still be on its way out.
      const start = Promise.resolve(running.get(id)?.exited).then(() => startBox(options, keeper, id, order));
      starting.set(id, start);
      try {
        const box = await start;
        commands.delete(id);
        running.set(id, box);
        return box;
      } finally {
        starting.delete(id);
      }
    },
  };

  const server = createServer((request, response) => void serve(options, boxes, request, response));
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgrade(options, boxes, request, socket, head);
  });
  // Long polls, model turns and commands outlive Node's five minutes.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    list: () => [...running.values()].map((box) => box.status).filter((status) => status.running),
    async close() {
      closing = true;
      await Promise.allSettled(starting.values());
      await Promise.all([...running.values()].map((box) => box.destroy()));
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
      await keeper.close();
      releaseRoot();
    },
  };
}

async function serve(
  options: EngineOptions,
  boxes: Boxes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const call = parseCall(request.url ?? "");
    if (!authorised(request, options.secret))
      response.writeHead(401).end("local engine: wrong or missing secret\n");
    else if (call === undefined) response.writeHead(404).end("local engine: no such call\n");
    else if (call.what === "ports") {
      const box = boxes.get(call.id);
      const port = box?.status.running === true ? box.hostPort(call.port) : undefined;
      if (box === undefined || port === undefined)
        response.writeHead(502).end("local engine: nothing on that port\n");
      else {
        await box.listening(port);
        forwardRequest(box, port, call.path, request, response);
      }
    } else await answerCall(options, boxes, call, request, response);
  } catch (thrown) {
    options.log?.(`local engine: ${String(thrown)}`);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end(`local engine: ${String(thrown)}\n`);
  }
}

function upgrade(
  options: EngineOptions,
  boxes: Boxes,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const call = parseCall(request.url ?? "");
  const box = call?.what === "ports" ? boxes.get(call.id) : undefined;
  const port = call?.what === "ports" && box?.status.running === true ? box.hostPort(call.port) : undefined;
  socket.on("error", () => undefined);
  if (!authorised(request, options.secret))
    socket.end("HTTP/1.1 401 Unauthorized\r\nconnection: close\r\n\r\n");
  else if (call?.what !== "ports" || box === undefined || port === undefined) {
    socket.end("HTTP/1.1 502 Bad Gateway\r\nconnection: close\r\n\r\n");
  } else forwardUpgrade(box, port, call.path, request, socket, head);
}
