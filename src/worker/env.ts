/** The bindings of wrangler.jsonc, and what `ctx.exports` holds. */
import type { SettingsEnv } from "./settings.ts";
import type * as worker from "./index.ts";
import type { TaskAgent } from "./task-agent.ts";
import type { Verifier } from "./verifier.ts";

export type Env = SettingsEnv & {
  readonly LOADER: WorkerLoader;
  readonly TASK: DurableObjectNamespace<TaskAgent>;
  readonly VERIFIER: DurableObjectNamespace<Verifier>;
};

declare global {
  namespace Cloudflare {
    interface GlobalProps {
      // The development Worker exports the same names, so these loopback bindings hold there too.
      mainModule: typeof worker;
      durableNamespaces: "TaskAgent" | "Verifier";
    }
  }
}
