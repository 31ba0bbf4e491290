/** One executed command, as `ExecProcess`: the engine's frames taken apart into streams. */
import { FRAME, FrameReader, jsonOf } from "../engine/frames.ts";
import type { Frame } from "../engine/frames.ts";
import type { EngineClient } from "./engine-client.ts";

const SIGKILL = 9;

/** Start `argv`. Rejects when the engine cannot start it. `user` and sizes of a terminal mean nothing here. */
export async function execute(
  client: EngineClient,
  argv: string[],
  options: ContainerExecOptions = {},
): Promise<ExecProcess> {
  if (options.pty !== undefined && options.pty !== false) throw new Error("local engine: no terminals (pty)");
  const { readable, writable } =
    options.stdin === "pipe" ? new TransformStream<Uint8Array, Uint8Array>() : noStreams;
  const body = options.stdin instanceof ReadableStream ? options.stdin : readable;
  const head = { argv, cwd: options.cwd, env: options.env, stdout: options.stdout, stderr: options.stderr };
  const response = await fetch(client.url("/exec"), {
    method: "POST",
    headers: { authorization: client.authorization, "x-engine-exec": base64Of(JSON.stringify(head)) },
    ...(body === null ? {} : { body }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (!response.ok || response.body === null) {
    throw new Error(`local engine: exec: ${response.status} ${await response.text()}`);
  }
  const frames: ReadableStream<unknown> = response.body;
  return new EngineProcess(client, frames.getReader(), writable, options).started();
}

const noStreams = { readable: null, writable: null };

function base64Of(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

type Sink = {
  readonly stream: ReadableStream<Uint8Array>;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
};

/** A stream that is written as the frames come. What nobody reads is kept: both streams share one connection. */
function sink(): Sink {
  const held: { controller?: ReadableStreamDefaultController<Uint8Array> } = {};
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      held.controller = controller;
    },
  });
  if (held.controller === undefined) throw new Error("a stream that did not start");
  return { stream, controller: held.controller };
}

class EngineProcess implements ExecProcess {
  readonly isPty = false;
  readonly stdin: WritableStream | null;
  readonly stdout: ReadableStream | null;
  readonly stderr: ReadableStream | null;
  readonly exitCode: Promise<number>;
  pid = 0;
  readonly #client: EngineClient;
  readonly #start: Promise<void>;

  constructor(
    client: EngineClient,
    frames: ReadableStreamDefaultReader<unknown>,
    stdin: WritableStream | null,
    options: ContainerExecOptions,
  ) {
    this.#client = client;
    this.stdin = stdin;
    const stdout = options.stdout === "ignore" ? undefined : sink();
    const stderr = options.stderr === "ignore" || options.stderr === "combined" ? undefined : sink();
    this.stdout = stdout?.stream ?? null;
    this.stderr = stderr?.stream ?? null;
    const start = Promise.withResolvers<void>();
    this.#start = start.promise;
    this.exitCode = this.#follow(frames, [stdout, stderr], start.resolve);
    // Who only reads the streams is not told twice.
    this.exitCode.catch(() => undefined);
    options.signal?.addEventListener("abort", () => this.kill(SIGKILL), { once: true });
  }

  /** This process, once its id is known. */
  async started(): Promise<this> {
    await Promise.race([this.#start, this.exitCode]);
    return this;
  }

  async #follow(
    source: ReadableStreamDefaultReader<unknown>,
    sinks: readonly [Sink | undefined, Sink | undefined],
    onStart: () => void,
  ): Promise<number> {
    const reader = new FrameReader();
    let exitCode: number | undefined;
    const take = (frame: Frame): void => {
      if (frame.kind === FRAME.stdout) sinks[0]?.controller.enqueue(frame.payload);
      else if (frame.kind === FRAME.stderr) sinks[1]?.controller.enqueue(frame.payload);
      else if (frame.kind === FRAME.exit) exitCode = numberIn(jsonOf(frame), "exitCode");
      else {
        this.pid = numberIn(jsonOf(frame), "pid");
        onStart();
      }
    };
    try {
      for (let step = await source.read(); !step.done; step = await source.read()) {
        if (!(step.value instanceof Uint8Array)) throw new Error("local engine: no bytes");
        for (const frame of reader.push(step.value)) take(frame);
      }
      if (exitCode === undefined) throw new Error("local engine: the command was lost");
    } catch (thrown) {
      for (const each of sinks) each?.controller.error(thrown);
      throw thrown;
    }
    for (const each of sinks) each?.controller.close();
    return exitCode;
  }

  async output(): Promise<ExecOutput> {
    const [stdout, stderr, exitCode] = await Promise.all([
      new Response(this.stdout).arrayBuffer(),
      new Response(this.stderr).arrayBuffer(),
      this.exitCode,
    ]);
    return { stdout, stderr, exitCode };
  }

  /** Signal the command's process group. Default: SIGTERM. */
  kill(signal = 15): void {
    this.#client.call("POST", `/exec/${this.pid}/signal`, signal).catch(() => undefined);
  }

  resize(): void {
    throw new Error("local engine: no terminals (pty)");
  }
}

function numberIn(value: unknown, name: string): number {
  const found: unknown =
    typeof value === "object" && value !== null
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : undefined;
  if (typeof found !== "number") throw new Error(`local engine: no ${name}`);
  return found;
}
