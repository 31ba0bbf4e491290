/** The engine's calls, apart from forwarding: what each takes and answers, as JSON unless said otherwise. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../../src/lib/errors.ts";
import { signalGroup } from "../../container/tool/leftovers.ts";
import type { Status } from "./box.ts";
import { execute } from "./exec.ts";
import { signalNamed } from "./exit-code.ts";
import type { Boxes } from "./host.ts";
import type { Call } from "./route.ts";
import { execOrder, startOrder } from "./settings.ts";
import type { EngineOptions } from "./settings.ts";

/** How long one wait for the exit stays open. The caller asks again. */
const POLL_MS = 20_000;
/** The head of an exec is short; a start holds an environment. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** The head of an exec travels in a header, so that the body is the command's input alone. */
const EXEC_HEADER = "x-engine-exec";

type Plain = Exclude<Call, { what: "ports" }>;

export async function answerCall(
  options: EngineOptions,
  boxes: Boxes,
  call: Plain,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const box = boxes.get(call.id);
  const live = box?.status.running === true ? box : undefined;
  switch (call.what) {
    case "container":
      if (request.method === "DELETE") await box?.destroy();
      return reply(response, 200, box?.status ?? unknownBox(call.id));
    case "start":
      return start(boxes, call.id, request, response);
    case "exit": {
      if (box !== undefined) await Promise.race([box.exited, pollOver(response)]);
      return reply(response, 200, box?.status ?? unknownBox(call.id));
    }
    case "signal": {
      const signal = signalNamed(await numberIn(request));
      if (live === undefined || signal === undefined)
        return reply(response, 409, { error: "not running, or no signal" });
      live.signal(signal);
      return reply(response, 200, {});
    }
    case "command-signal": {
      const signal = signalNamed(await numberIn(request));
      // Only ids that this engine handed out: a process id in an address must not reach any other process.
      if (signal !== undefined && boxes.commands(call.id).has(call.pid)) signalGroup(call.pid, signal);
      return reply(response, 200, {});
    }
    case "inactivity": {
      const ms = await numberIn(request);
      if (live === undefined || !(ms > 0)) return reply(response, 409, { error: "not running, or no time" });
      live.use()();
      live.endAfterIdle(ms);
      return reply(response, 200, {});
    }
    case "exec": {
      if (live === undefined) return reply(response, 409, { error: "not running" });
      const head = request.headers[EXEC_HEADER];
      const order = execOrder(
        JSON.parse(Buffer.from(typeof head === "string" ? head : "", "base64").toString("utf8")),
      );
      return execute(live, order, options.toolCommand, request, response, boxes.commands(call.id));
    }
  }
}

async function start(
  boxes: Boxes,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const box = await boxes.start(id, startOrder(await jsonIn(request)));
    reply(response, 200, box.status);
  } catch (thrown) {
    reply(response, 409, { error: messageOf(thrown) });
  }
}

/** The status of a container that never ran, or of one that an earlier engine ran. */
function unknownBox(id: string): Status {
  return { id, running: false, exitCode: null, labels: {}, image: "" };
}

function pollOver(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, POLL_MS);
    response.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function reply(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

async function jsonIn(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const body: AsyncIterable<Buffer> = request;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error("body too large");
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

/** A body that is one number. */
async function numberIn(request: IncomingMessage): Promise<number> {
  const value = await jsonIn(request);
  return typeof value === "number" ? value : Number.NaN;
}
