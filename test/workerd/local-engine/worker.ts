/**
 * What the end-to-end test runs in workerd: the smallest Agent with a ContainerHarness over a LocalContainer. Requests
 * to /probe/NAME/... act on the object; /egress/NAME is where the engine brings what its container sends.
 */
import { Agent } from "agents";
import { containerAgent, ContainerHarness } from "agents/harness/container";
import { WorkerEntrypoint } from "cloudflare:workers";
import { LocalContainer } from "../../../dev/worker/local-container.ts";

export type ProbeEnv = Cloudflare.Env & {
  readonly PROBE: DurableObjectNamespace<Probe>;
  readonly ENGINE_URL: string;
  readonly ENGINE_SECRET: string;
  /** This Worker's own address, for the engine. */
  readonly OWN_URL: string;
  readonly MODEL_URL: string;
  readonly GIT_URL: string;
};

const HOSTS = ["model.internal", "git.internal"];

/** The way out: the placeholder key becomes the real one here, outside the container. */
export class ProbeEgress extends WorkerEntrypoint<ProbeEnv> {
  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url);
    const base = url.host === "model.internal" ? this.env.MODEL_URL : this.env.GIT_URL;
    const headers = new Headers(request.headers);
    if (headers.get("x-api-key") === "placeholder") headers.set("x-api-key", "real-key");
    return fetch(
      new Request(
        new URL(url.pathname + url.search, base),
        new Request(request, { headers, redirect: "manual" }),
      ),
    );
  }
}

/** `ctx.exports` is typed by the production Worker's exports; this Worker has its own. */
function wayOut(ctx: DurableObjectState): Fetcher {
  const exports: unknown = ctx.exports;
  return (exports as { ProbeEgress(init: { props: object }): Fetcher }).ProbeEgress({ props: {} });
}

export class Probe extends Agent<ProbeEnv> {
  readonly container: LocalContainer;
  readonly harness: ContainerHarness;
  readonly wasRunning: Promise<boolean>;

  constructor(ctx: DurableObjectState, env: ProbeEnv) {
    super(ctx, env);
    const name = ctx.id.name ?? "";
    this.container = new LocalContainer({
      engineUrl: env.ENGINE_URL,
      secret: env.ENGINE_SECRET,
      id: name,
      callbackUrl: `${env.OWN_URL}/egress/${name}`,
    });
    const way = wayOut(ctx);
    this.harness = new ContainerHarness({
      container: this.container,
      agent: containerAgent({
        image: this.container.images.agent,
        adapter: "claude-code",
        model: "claude-sonnet-4-5",
        env: { ANTHROPIC_BASE_URL: "http://model.internal", ANTHROPIC_API_KEY: "placeholder" },
        egress: HOSTS.map((host) => ({ host, upstream: `https://${host}.example`, headers: {}, strip: [] })),
      }),
      egress: () => way,
      enableInternet: false,
    });
    this.lifecycle.use(this.harness);
    // Before any event reaches the object, and so before the harness asks whether the container runs.
    this.wasRunning = ctx.blockConcurrencyWhile(async () => {
      const running = await this.container.ready();
      if (running) for (const host of HOSTS) await this.container.interceptOutboundHttp(host, way);
      return running;
    });
  }

  override async onRequest(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith("/egress/")) return this.container.handleEgress(request);
    switch (pathname.split("/")[3]) {
      case "prompt":
        return Response.json(await this.harness.prompt(await request.text()));
      case "submit":
        return Response.json(await this.harness.submit(await request.text(), { operationId: "op" }));
      case "wait":
        return Response.json(await this.harness.wait("op"));
      case "abort":
        return Response.json(await this.harness.abort());
      case "start":
        return Response.json(await this.#start());
      case "stop":
        await this.harness.stop();
        return Response.json({});
      case "destroy":
        await this.container.destroy();
        return Response.json({ running: this.container.running, info: await this.container.inspect() });
      case "exec":
        return this.#exec(await request.json());
      case "state":
        return Response.json({ wasRunning: await this.wasRunning, running: this.container.running });
      case "monitor":
        return Response.json(await this.container.monitor().then(() => "ended", String));
      case "evict":
        this.ctx.abort("asked to");
        return new Response();
      case undefined:
      default:
        return new Response("no such act", { status: 404 });
    }
  }

  /** As the Verifier does it: no daemon, and an exec right behind the start. */
  async #start(): Promise<unknown> {
    this.container.start({
      image: this.container.images.verifier,
      entrypoint: ["sleep", "infinity"],
      enableInternet: false,
      labels: { task: "clean" },
    });
    const way = wayOut(this.ctx);
    for (const host of HOSTS) await this.container.interceptOutboundHttp(host, way);
    const first = await this.container.exec(["pwd"]);
    const { exitCode } = await first.output();
    return { exitCode, running: this.container.running, info: await this.container.inspect() };
  }

  async #exec(order: { argv: string[]; stdin?: string; piped?: string }): Promise<Response> {
    const stdin = order.piped === undefined ? new Blob([order.stdin ?? ""]).stream() : "pipe";
    const process = await this.container.exec(order.argv, { stdin });
    if (order.piped !== undefined && process.stdin !== null) {
      const writer = process.stdin.getWriter();
      await writer.write(new TextEncoder().encode(order.piped));
      await writer.close();
    }
    const { stdout, stderr, exitCode } = await process.output();
    const text = (bytes: ArrayBuffer): string => new TextDecoder().decode(bytes);
    return Response.json({ exitCode, stdout: text(stdout), stderr: text(stderr), pid: process.pid > 0 });
  }
}

export default {
  async fetch(request, env): Promise<Response> {
    const name = new URL(request.url).pathname.split("/")[2] ?? "";
    return env.PROBE.getByName(name).fetch(request);
  },
} satisfies ExportedHandler<ProbeEnv>;
