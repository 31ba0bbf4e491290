/** Executing a command in a running container: its input is the request's body, its streams come back as frames. */
import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, normalize } from "node:path";
import type { Readable } from "node:stream";
import { TOOL, WORKSPACE } from "../../src/domain/container-protocol.ts";
import { signalGroup } from "../../container/tool/leftovers.ts";
import type { Box } from "./box.ts";
import { exitCodeOf } from "./exit-code.ts";
import { encodeFrame, encodeJson, FRAME } from "./frames.ts";
import type { FrameKind } from "./frames.ts";
import type { ExecOrder } from "./settings.ts";

/** How long output may stay silent after the end before a child that holds the pipe is no longer waited for. */
const SILENCE_MS = 250;

/** The container's own path for `cwd`, or undefined when it is not in the workspace. */
function mapFolder(box: Box, cwd: string | undefined): string | undefined {
  const plain = normalize(cwd ?? WORKSPACE).replace(/\/$/, "");
  if (plain === WORKSPACE) return box.folders.workspace;
  return plain.startsWith(`${WORKSPACE}/`)
    ? join(box.folders.workspace, plain.slice(WORKSPACE.length))
    : undefined;
}

/** Run the command and answer with frames. The caller going away ends it. */
export function execute(
  box: Box,
  order: ExecOrder,
  toolCommand: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
  running: Set<number>,
): void {
  const cwd = mapFolder(box, order.cwd);
  const [first = "", ...rest] = order.argv;
  const [file = "", ...args] = first === TOOL ? [...toolCommand, ...rest] : order.argv;
  if (cwd === undefined) {
    response.writeHead(400).end("cwd is not in the workspace\n");
    return;
  }
  const child = spawn(file, args, {
    cwd,
    env: box.environment(order.env),
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const over = box.use();
  child.on("error", (error) => {
    over();
    // As a container engine says it: the command could not be started at all.
    if (!response.headersSent) response.writeHead(422).end(`${file}: ${error.message}\n`);
  });
  child.once("spawn", () => {
    const { pid } = child;
    if (pid !== undefined) running.add(pid);
    response.writeHead(200, { "content-type": "application/octet-stream" });
    response.write(encodeJson(FRAME.start, { pid }));
    child.stdin.on("error", () => undefined);
    request.pipe(child.stdin);
    response.on("close", () => {
      if (!response.writableFinished) signalGroup(pid, "SIGKILL");
    });
    void (async () => {
      const streams = [
        pump(child.stdout, response, order.stdout === "pipe" ? FRAME.stdout : undefined),
        pump(child.stderr, response, stderrKind(order)),
      ];
      const ended = await new Promise<number>((resolve) => {
        child.once("exit", (code, signal) => resolve(exitCodeOf(code, signal)));
      });
      await Promise.all(streams.map((stream) => stream.silent()));
      if (pid !== undefined) running.delete(pid);
      over();
      response.end(encodeJson(FRAME.exit, { exitCode: ended }));
    })();
  });
}

/** Resolves when the response takes more, or is over. */
function roomAgain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      response.off("drain", go).off("close", go);
      resolve();
    };
    response.on("drain", go).on("close", go);
  });
}

function stderrKind(order: ExecOrder): FrameKind | undefined {
  if (order.stderr === "pipe") return FRAME.stderr;
  return order.stderr === "combined" && order.stdout === "pipe" ? FRAME.stdout : undefined;
}

/** Copy a stream into frames, no faster than they are taken. `silent` resolves at its end, or when it says no more. */
function pump(
  stream: Readable,
  response: ServerResponse,
  kind: FrameKind | undefined,
): { silent(): Promise<void> } {
  let lastSeen = performance.now();
  const done = (async () => {
    try {
      const chunks: AsyncIterable<Buffer> = stream;
      for await (const chunk of chunks) {
        if (kind !== undefined && !response.write(encodeFrame(kind, chunk))) {
          await roomAgain(response);
        }
        lastSeen = performance.now();
      }
    } catch {
      // The stream was torn down with its process.
    }
  })();
  const quiet = async (): Promise<void> => {
    while (response.writableNeedDrain || performance.now() - lastSeen < SILENCE_MS) {
      if (response.destroyed) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  return {
    async silent() {
      lastSeen = performance.now();
      await Promise.race([done, quiet()]);
      stream.destroy();
    },
  };
}
