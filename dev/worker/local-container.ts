/**
 * `Container` over the local engine: what a Durable Object uses in place of `ctx.container` on a machine without
 * Docker. Nothing above it knows which of the two it holds. It is no security boundary (see dev/engine/host.ts).
 *
 * Three things differ from `ctx.container`:
 * - Whether a process runs is learnt from the engine: a new Durable Object instance awaits `ready()` first.
 * - Intercepts live in this object, so they are set again after `ready()` answered true.
 * - Requests of the container come in at the Worker's own door: it hands them to `handleEgress`.
 */
import { EngineClient } from "./engine-client.ts";
import type { EngineAddress, EngineStatus } from "./engine-client.ts";
import { execute } from "./engine-exec.ts";

export type LocalContainerOptions = EngineAddress & {
  /** The Worker's URL for requests of containers. */
  readonly callbackUrl: string;
};

const ENGINE_HEADER = "x-engine-";
/** Headers that the local Worker runtime adds at its door, and `host`, which named the door. */
const DOOR_HEADERS = /^(?:host$|mf-|cf-|x-forwarded-|x-real-ip$)/;

export class LocalContainer implements Container {
  readonly images = { agent: "local", verifier: "local" };
  readonly #options: LocalContainerOptions;
  readonly #client: EngineClient;
  readonly #intercepts = new Map<string, Fetcher>();
  #interceptAll: Fetcher | undefined;
  #running = false;
  /** Settles when the engine has answered the last start or destroy: later calls wait for it. */
  #settled: Promise<void> = Promise.resolve();
  /** The wait for the exit of the process that runs; a new one for each start. */
  #exit: Promise<EngineStatus> | undefined;
  #destroyedWith: unknown;

  constructor(options: LocalContainerOptions) {
    this.#options = options;
    this.#client = new EngineClient(options);
  }

  /** A container whose state is known. */
  static async attach(options: LocalContainerOptions): Promise<LocalContainer> {
    const container = new LocalContainer(options);
    await container.ready();
    return container;
  }

  /** Learn from the engine whether the container runs. True when it does: then set the intercepts again. */
  async ready(): Promise<boolean> {
    await this.#settled.catch(() => undefined);
    const { running } = await this.#client.status("GET");
    this.#running = running;
    if (running && this.#exit === undefined) this.#watch();
    return running;
  }

  get running(): boolean {
    return this.#running;
  }

  /** Returns at once, as the real one does; a failure shows in `running` and in the calls that follow. */
  start(options?: ContainerStartupOptions): void {
    if (this.#running) throw new Error("start() cannot be called on a container that is already running.");
    if (options?.containerSnapshot !== undefined || options?.directorySnapshots !== undefined)
      throw unsupported("snapshots");
    this.#running = true;
    this.#destroyedWith = undefined;
    const order = {
      ...(options?.entrypoint === undefined ? {} : { entrypoint: options.entrypoint }),
      env: options?.env ?? {},
      labels: options?.labels ?? {},
      image: options?.image ?? "local",
      callbackUrl: this.#options.callbackUrl,
    };
    this.#settled = this.#startAfter(this.#settled, order);
    this.#settled.catch(() => undefined);
  }

  async #startAfter(earlier: Promise<void>, order: object): Promise<void> {
    await earlier.catch(() => undefined);
    try {
      await this.#client.call("POST", "/start", order);
    } catch (thrown) {
      this.#running = false;
      throw thrown;
    }
    this.#watch();
  }

  /** Follow the process until it ends. */
  #watch(): void {
    const exit = this.#follow();
    this.#exit = exit;
    const over = (): void => {
      if (this.#exit !== exit) return;
      this.#running = false;
      this.#exit = undefined;
    };
    exit.then(over, over);
  }

  async #follow(): Promise<EngineStatus> {
    for (;;) {
      const status = await this.#client.status("GET", "/exit");
      if (!status.running) return status;
    }
  }

  async monitor(): Promise<void> {
    await this.#settled;
    if (this.#exit === undefined)
      throw new Error("monitor() cannot be called on a container that is not running.");
    const { exitCode } = await this.#exit;
    if (this.#destroyedWith !== undefined) throw this.#destroyedWith;
    if (exitCode !== 0) throw new Error(`Container exited with unexpected exit code: ${exitCode}`);
  }

  async destroy(error?: unknown): Promise<void> {
    const earlier = this.#settled;
    this.#settled = this.#destroyAfter(earlier, error);
    await this.#settled;
  }

  async #destroyAfter(earlier: Promise<void>, error: unknown): Promise<void> {
    await earlier.catch(() => undefined);
    this.#destroyedWith = error;
    await this.#client.status("DELETE");
    this.#running = false;
  }

  signal(signo: number): void {
    // Nobody waits for a signal, and a container that is gone needs none.
    this.#sendSignal(signo).catch(() => undefined);
  }

  async #sendSignal(signo: number): Promise<void> {
    await this.#settled;
    await this.#client.call("POST", "/signal", signo);
  }

  async setInactivityTimeout(durationMs: number | bigint): Promise<void> {
    await this.#settled;
    await this.#client.call("PUT", "/inactivity", Number(durationMs));
  }

  async exec(cmd: string[], options?: ContainerExecOptions): Promise<ExecProcess> {
    await this.#settled;
    return execute(this.#client, cmd, options);
  }

  async inspect(): Promise<ContainerInfo | null> {
    await this.#settled;
    const { running, labels, image } = await this.#client.status("GET");
    return running ? { labels, image } : null;
  }

  async snapshotContainer(): Promise<ContainerSnapshot> {
    throw unsupported("snapshots");
  }

  /** The engine forwards the port that CF_HARNESS_PORT named at the start, and no other port of this machine. */
  getTcpPort(port: number): Fetcher {
    const open = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      await this.#settled;
      const request = new Request(input, init);
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      const inner = headers.get("authorization");
      if (inner !== null) headers.set(`${ENGINE_HEADER}authorization`, inner);
      headers.set("authorization", this.#client.authorization);
      const outer = new Request(this.#client.url(`/ports/${port}${pathname}${search}`), request);
      return fetch(new Request(outer, { headers, redirect: "manual" }));
    };
    return {
      fetch: open,
      connect: () => {
        throw unsupported("raw connections");
      },
    };
  }

  async interceptOutboundHttp(addr: string, binding: Fetcher): Promise<void> {
    this.#intercepts.set(addr.toLowerCase(), binding);
  }

  async interceptAllOutboundHttp(binding: Fetcher): Promise<void> {
    this.#interceptAll = binding;
  }

  /** Taken and never used: the engine's proxy passes no TLS on, so an https request fails in the container. */
  async interceptOutboundHttps(): Promise<void> {}

  /**
   * Answer a request that a container sent and the engine brought here. 403 for one that the engine did not bring, that
   * is another container's, or whose host nobody intercepts.
   */
  async handleEgress(request: Request): Promise<Response> {
    const told = (name: string): string => request.headers.get(ENGINE_HEADER + name) ?? "";
    if (!(await sameText(told("secret"), this.#options.secret))) return refusal("not from the engine");
    if (told("container") !== this.#options.id) return refusal("another container's request");
    if (!URL.canParse(told("url"))) return refusal("no address");
    const url = new URL(told("url"));
    // `host` carries a port other than 80, so that git.internal:81 is not git.internal.
    const binding = this.#intercepts.get(url.host) ?? this.#interceptAll;
    if (url.protocol !== "http:" || binding === undefined) return refusal(`no way to ${url.host}`);
    const headers = new Headers();
    for (const [name, value] of request.headers) {
      if (!name.startsWith(ENGINE_HEADER) && !DOOR_HEADERS.test(name)) headers.append(name, value);
    }
    return binding.fetch(
      new Request(url, { method: request.method, headers, body: request.body, redirect: "manual" }),
    );
  }
}

function unsupported(what: string): Error {
  return new Error(`not supported by the local engine: ${what}`);
}

function refusal(why: string): Response {
  return new Response(`local container: ${why}\n`, { status: 403 });
}

/** Compare digests: the time it takes then says nothing about the texts. */
async function sameText(a: string, b: string): Promise<boolean> {
  const [first, second] = await Promise.all([digestOf(a), digestOf(b)]);
  return crypto.subtle.timingSafeEqual(first, second);
}

function digestOf(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}
