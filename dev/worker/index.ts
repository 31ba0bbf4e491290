/**
 * The production Worker with one thing swapped: its containers are processes of the local engine. That is no security
 * boundary; it is for machines without Docker, and nothing above `container` knows the difference.
 */
import production from "../../src/worker/index.ts";
import { TaskAgent as ProductionTaskAgent } from "../../src/worker/task-agent.ts";
import { Verifier as ProductionVerifier } from "../../src/worker/verifier.ts";
import type { Env } from "../../src/worker/env.ts";
import { LocalContainer } from "./local-container.ts";

export { Egress } from "../../src/worker/egress.ts";
export { RepoMethods } from "../../src/worker/repo-methods.ts";

/** Set by dev/world; see there. */
type LocalEnv = Env & {
  readonly LOCAL_ENGINE_URL: string;
  readonly LOCAL_ENGINE_SECRET: string;
  /** This Worker, as the engine reaches it. */
  readonly LOCAL_WORKER_URL: string;
};

/** Where the engine hands back what a container sends: /__engine/<binding>/<object's name>. */
const CALLBACK = "/__engine/";

/** Where tests ask how the requests of a Task ended: /__world/ends/<task>. */
const ENDS = "/__world/ends/";

export class TaskAgent extends ProductionTaskAgent {
  protected override engine(): Container {
    return containerOf(this.ctx, this.env, "TASK");
  }

  override async onRequest(request: Request): Promise<Response> {
    return containerOf(this.ctx, this.env, "TASK").handleEgress(request);
  }
}

export class Verifier extends ProductionVerifier {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    containerOf(ctx, env, "VERIFIER");
  }

  protected override container(): Container {
    return containerOf(this.ctx, this.env, "VERIFIER");
  }

  override async fetch(request: Request): Promise<Response> {
    return containerOf(this.ctx, this.env, "VERIFIER").handleEgress(request);
  }
}

/**
 * One per object, made in its constructor, so that whether it runs is known before anything else happens. Not a field:
 * the production constructor asks for it before a subclass has any.
 */
const containers = new WeakMap<DurableObjectState, LocalContainer>();

function containerOf(ctx: DurableObjectState, env: Env, binding: "TASK" | "VERIFIER"): LocalContainer {
  const known = containers.get(ctx);
  if (known !== undefined) return known;
  const { LOCAL_ENGINE_URL, LOCAL_ENGINE_SECRET, LOCAL_WORKER_URL } = env as LocalEnv;
  const container = new LocalContainer({
    engineUrl: LOCAL_ENGINE_URL,
    secret: LOCAL_ENGINE_SECRET,
    id: `${binding.toLowerCase()}-${ctx.id.toString()}`,
    callbackUrl: `${LOCAL_WORKER_URL}${CALLBACK}${binding}/${encodeURIComponent(ctx.id.name ?? "")}`,
  });
  containers.set(ctx, container);
  void ctx.blockConcurrencyWhile(() => container.ready());
  return container;
}

export default {
  async fetch(request, env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith(CALLBACK) && !pathname.startsWith(ENDS)) return production.fetch(request, env);
    if (request.headers.get("x-engine-secret") !== env.LOCAL_ENGINE_SECRET) {
      return new Response("Not the engine\n", { status: 403 });
    }
    if (pathname.startsWith(ENDS)) {
      return Response.json(await env.TASK.getByName(decodeURIComponent(pathname.slice(ENDS.length))).ends());
    }
    const [binding, name] = pathname.slice(CALLBACK.length).split("/");
    if (name === undefined) return new Response("Not found\n", { status: 404 });
    const object = decodeURIComponent(name);
    return binding === "TASK"
      ? env.TASK.getByName(object).fetch(request)
      : env.VERIFIER.getByName(object).fetch(request);
  },
} satisfies ExportedHandler<LocalEnv>;
