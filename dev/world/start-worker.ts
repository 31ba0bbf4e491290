/** The Worker of the local world: real workerd, bundled from source, with settings as an operator would set them. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { unstable_DevEnv } from "wrangler";
import { untilStopped } from "./take-signals.ts";

export type LocalWorker = {
  /** Stays the same when the Worker is restarted. */
  readonly url: string;
  /** Every line the Worker printed, restarts included. */
  readonly logs: readonly string[];
  /** How the requests of one Task ended, oldest first. */
  ends(task: string): Promise<readonly { readonly request: string; readonly end: unknown }[]>;
  /**
   * End workerd and start it anew on the same storage, as a deploy or a crash would.
   * @param secrets those that a deploy changes
   */
  restart(secrets?: Readonly<Record<string, string>>): Promise<void>;
  close(): Promise<void>;
};

export type WorkerOptions = {
  readonly root: string;
  /** Where the Durable Objects' storage is kept. */
  readonly storage: string;
  readonly port: number;
  /** Plain settings. */
  readonly vars: Readonly<Record<string, string>>;
  /** Secrets: given to workerd in memory, written to no file. */
  readonly secrets: Readonly<Record<string, string>>;
  /** What the Worker's own control calls carry; see dev/worker. */
  readonly controlSecret: string;
  /** Gets each line the Worker prints. */
  readonly log?: (line: string) => void;
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal | undefined;
};

/** A machine under load needs five; one that has not answered after thirty has a reason. */
const START_SECONDS = 30;

/** @throws Error with the reason, when the Worker does not answer within half a minute */
export async function startWorker(options: WorkerOptions): Promise<LocalWorker> {
  // Nothing here may look for the network: no telemetry, and no sample of a visitor's `request.cf`.
  process.env["WRANGLER_SEND_METRICS"] = "false";
  process.env["CLOUDFLARE_CF_FETCH_ENABLED"] = "false";
  const url = `http://127.0.0.1:${options.port}`;
  const logs: string[] = [];
  let worker = await launch(options, url, logs);
  return {
    url,
    logs,
    ends: async (task) => {
      const response = await fetch(`${url}/__world/ends/${encodeURIComponent(task)}`, {
        headers: { "x-engine-secret": options.controlSecret },
      });
      return (await response.json()) as Awaited<ReturnType<LocalWorker["ends"]>>;
    },
    restart: async (secrets = {}) => {
      await worker.dispose();
      worker = await launch({ ...options, secrets: { ...options.secrets, ...secrets } }, url, logs);
    },
    close: () => worker.dispose(),
  };
}

type Launched = Awaited<ReturnType<InstanceType<typeof unstable_DevEnv>["startWorker"]>>;

async function launch(options: WorkerOptions, url: string, logs: string[]): Promise<Launched> {
  const { root, storage, port, vars, secrets } = options;
  const bindings: Record<string, { type: "plain_text" | "secret_text"; value: string }> = {};
  for (const [name, value] of Object.entries(vars)) bindings[name] = { type: "plain_text", value };
  for (const [name, value] of Object.entries(secrets)) bindings[name] = { type: "secret_text", value };
  bindings["LOCAL_WORKER_URL"] = { type: "plain_text", value: url };
  await mkdir(join(root, "dev/.wrangler/tmp"), { recursive: true });
  const environment = new unstable_DevEnv();
  const trouble = troubleOf(environment);
  const limit = AbortSignal.timeout(START_SECONDS * 1_000);
  const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
  // miniflare makes its folder in the system's one for temporary files: this one goes with the world.
  const giveBack = borrowTempFolder(storage);
  try {
    await mkdir(storage, { recursive: true });
    const start = environment.startWorker({
      config: join(root, "dev/wrangler.jsonc"),
      bindings,
      dev: {
        server: { hostname: "127.0.0.1", port },
        inspector: false,
        persist: storage,
        watch: false,
        logLevel: "none",
        structuredLogsHandler: ({ message }: { message: string }) => {
          logs.push(message);
          options.log?.(message);
        },
      },
    });
    const answers = start.then(async (worker) => {
      await worker.ready;
      // `ready` is the proxy in front; the Worker behind it is up when it answers.
      await (await fetch(`${url}/health`, { signal })).text();
      return worker;
    });
    return await Promise.race([answers, trouble, untilStopped(signal)]);
  } catch (thrown) {
    await environment.teardown().catch(() => undefined);
    options.signal?.throwIfAborted();
    const reason = limit.aborted
      ? `it did not answer within ${START_SECONDS} s; it said: ${logs.at(-1) ?? "nothing"}`
      : reasonOf(thrown);
    throw new Error(`the Worker cannot start: ${reason}`, { cause: thrown });
  } finally {
    giveBack();
  }
}

/** Rejects with the first thing that keeps the Worker from starting; wrangler only logs it. */
function troubleOf(environment: InstanceType<typeof unstable_DevEnv>): Promise<never> {
  const trouble = new Promise<never>((_, reject) => {
    const tell = (event: unknown) => reject(new Error(reasonOf(event)));
    environment.on("error", tell);
    environment.on("buildFailed", tell);
  });
  trouble.catch(() => undefined);
  return trouble;
}

/** wrangler's events have a reason, its errors a message, and both the cause that tells most. */
function reasonOf(trouble: unknown): string {
  const words: string[] = [];
  for (let at: unknown = trouble; typeof at === "object" && at !== null; at = Reflect.get(at, "cause")) {
    const said: unknown = Reflect.get(at, "reason") ?? Reflect.get(at, "message");
    if (typeof said === "string" && said !== "") words.push(said);
  }
  return words.join(": ") || String(trouble);
}

/** @returns how to give it back */
function borrowTempFolder(folder: string): () => void {
  const before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
  return () => {
    if (before === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = before;
  };
}
