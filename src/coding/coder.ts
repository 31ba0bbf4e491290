/**
 * The coding agent of one Task: ContainerHarness on the object's container, behind a fence. The harness keeps the
 * session and its transcript durably; the container is disposable.
 */
import { containerAgent, ContainerHarness } from "agents/harness/container";
import type { AgentOrder } from "../domain/container-protocol.ts";
import type { ExportLimits, FileSet } from "../domain/file-set.ts";
import type { Result } from "../lib/result.ts";
import { AGENTS, type AgentName } from "./agents.ts";
import { callTool, type ToolCallFault } from "./call-tool.ts";
import { fenced, raise, type Fence } from "./fenced-container.ts";
import { checkoutOf } from "./run-checks.ts";

/** Caps of the export, above those of publish/: what is too large is named there, not lost here. */
const EXPORT_LIMITS: ExportLimits = { files: 1_000, fileBytes: 2 * 1024 * 1024, totalBytes: 8 * 1024 * 1024 };

/** Commits of history in the checkout: enough for `git log` and `git blame` of recent work. */
const DEPTH = 50;

/** Characters kept of the agent's last words. Guards the journal and the comment. */
const MAX_SUMMARY = 20_000;

/** Kept running for this long after its last work. Our own stop comes much earlier; this is for an object that died. */
const IDLE_MS = 5 * 60_000;

export type CoderSettings = {
  readonly agent: AgentName;
  readonly model: string;
  readonly fence: () => Fence;
};

export class Coder {
  readonly harness: ContainerHarness;
  readonly #container: Container;
  readonly #fence: () => Fence;

  constructor(container: Container, settings: CoderSettings) {
    this.#container = container;
    this.#fence = settings.fence;
    const row = AGENTS[settings.agent];
    this.harness = new ContainerHarness({
      container: fenced(container, settings.fence),
      agent: containerAgent({
        // `images` is only known once the object runs; the name is that of wrangler.jsonc.
        image: container.images["agent"] ?? "agent",
        adapter: row.adapter,
        env: { ...row.env, ...Object.fromEntries(row.modelVariables.map((name) => [name, settings.model])) },
        model: settings.model,
      }),
      enableInternet: false,
      idleTimeoutMs: IDLE_MS,
    });
  }

  /**
   * After a restart of the object: a container that still runs gets its fence again, and what it was at is asked for
   * at once. The harness by itself would look only at its next heartbeat, half a minute later.
   */
  async reattach(): Promise<void> {
    if (this.#container.running) await raise(this.#container, this.#fence());
    for (const { operationId } of await this.harness.pending()) {
      // The same id again changes nothing, whatever the text; it wakes the session.
      await this.harness.submit("", { operationId });
    }
  }

  /**
   * Forget the conversation so far. Each start of a container begins with the base commit, so an agent that remembered
   * an earlier one would believe in edits that are gone.
   */
  async forget(): Promise<void> {
    await this.harness.abort();
    await this.harness.session().reset();
  }

  async submit(operation: string, commit: string, prompt: string): Promise<void> {
    const order: AgentOrder = { checkout: checkoutOf(commit, DEPTH), prompt };
    await this.harness.submit(JSON.stringify(order), { operationId: operation });
  }

  /** Wait at most `ms` for an operation to settle. */
  async wait(operation: string, ms: number) {
    try {
      const result = await this.harness.wait(operation, { signal: AbortSignal.timeout(ms) });
      return result.status === "done"
        ? { state: "done" as const, text: (result.text ?? "").slice(-MAX_SUMMARY) }
        : { state: "failed" as const, reason: (result.reason ?? "unknown").slice(0, MAX_SUMMARY) };
    } catch (thrown) {
      if (thrown instanceof DOMException && thrown.name === "TimeoutError")
        return { state: "running" as const };
      throw thrown;
    }
  }

  async export(): Promise<Result<FileSet, ToolCallFault>> {
    return callTool(this.#container, "export", { limits: EXPORT_LIMITS });
  }

  /** End everything: what is still running is aborted, and the container goes without a snapshot. */
  async stop(): Promise<void> {
    await this.harness.abort();
    await this.harness.dispose();
    if (this.#container.running) await this.#container.destroy();
  }
}
