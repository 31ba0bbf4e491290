/** The Worker of the local world: real workerd, bundled from source, with settings as an operator would set them. */
import { join } from "node:path";
import { unstable_startWorker } from "wrangler";

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
};

/** @throws Error when workerd or the bundler cannot start */
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

async function launch({ root, storage, port, vars, secrets }: WorkerOptions, url: string, logs: string[]) {
  const bindings: Record<string, { type: "plain_text" | "secret_text"; value: string }> = {};
  for (const [name, value] of Object.entries(vars)) bindings[name] = { type: "plain_text", value };
  for (const [name, value] of Object.entries(secrets)) bindings[name] = { type: "secret_text", value };
  bindings["LOCAL_WORKER_URL"] = { type: "plain_text", value: url };
  const worker = await unstable_startWorker({
    config: join(root, "dev/wrangler.jsonc"),
    bindings,
    dev: {
      server: { hostname: "127.0.0.1", port },
      inspector: false,
      persist: storage,
      watch: false,
      logLevel: "none",
      structuredLogsHandler: ({ message }: { message: string }) => logs.push(message),
    },
  });
  await worker.ready;
  return worker;
}
