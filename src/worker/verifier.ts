/**
 * A clean container for one change: the base commit, the judged files, and the repository's own checks. No model, no
 * credential, nothing of the agent's container. What is tested here is what is published.
 */
import { DurableObject } from "cloudflare:workers";
import { callTool, fenced, runChecks } from "../coding/index.ts";
import type { CheckReport } from "../domain/checks.ts";
import { GIT_HOST } from "../domain/container-protocol.ts";
import type { VerifyOrder } from "../task/ports.ts";
import type { EgressProps } from "./egress.ts";
import type { Env } from "./env.ts";

export type VerifierScope = Omit<EgressProps, "upstream">;

/** How long the container outlives an object that was evicted in the middle; the next try destroys it. */
const INACTIVITY_MS = 15 * 60_000;

export class Verifier extends DurableObject<Env> {
  #started = 0;

  /** The container of this object. The development Worker puts another engine's here. */
  protected container(): Container {
    const { container } = this.ctx;
    if (container === undefined) throw new Error("wrangler.jsonc gives Verifier no container");
    return container;
  }

  async verify(order: VerifyOrder, scope: VerifierScope): Promise<CheckReport> {
    const container = fenced(this.container(), () => ({
      hosts: { [GIT_HOST]: this.#egress(scope, "git") },
      refuse: this.#egress(scope, "refuse"),
    }));
    // Left over from a try that was interrupted: whatever it did, it is not clean any more.
    if (container.running) await container.destroy();
    const mine = ++this.#started;
    container.start({ image: container.images["verifier"] ?? "verifier", entrypoint: ["sleep", "infinity"] });
    try {
      await container.setInactivityTimeout(INACTIVITY_MS);
      return await runChecks(order, (name, input) => callTool(container, name, input));
    } finally {
      // A later call has destroyed this one's container and started its own.
      if (mine === this.#started) await container.destroy();
    }
  }

  #egress(scope: VerifierScope, upstream: EgressProps["upstream"]): Fetcher {
    return this.ctx.exports.Egress({ props: { ...scope, upstream } });
  }
}
