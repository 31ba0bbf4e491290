/**
 * One issue or pull request: its inbox, its requests in order, the ledger of what was written to GitHub, and the
 * coding session. What a request does is in task/; this class gives it storage, time and the world.
 */
import { Agent } from "agents";
import type { TaskHandlers, TaskStep } from "agents/tasks";
import { Coder } from "../coding/index.ts";
import type { Decision } from "../domain/decision.ts";
import type { RepoEvent } from "../domain/event.ts";
import type { RequestEnd, TaskRequest } from "../domain/request.ts";
import { messageOf } from "../lib/errors.ts";
import { createLog, type Log } from "../lib/log.ts";
import { giveUp } from "../task/give-up.ts";
import { Journal } from "../task/journal.ts";
import { Ledger } from "../task/ledger.ts";
import type { Run } from "../task/run.ts";
import { runRequest } from "../task/run-request.ts";
import { Status } from "../task/status.ts";
import { TaskStore, type Accepted } from "../task/store.ts";
import type { Env } from "./env.ts";
import { coderFence, taskPorts } from "./ports.ts";
import { readSettings, type Settings } from "./settings.ts";

export class TaskAgent extends Agent<Env> {
  readonly #store: TaskStore;
  readonly #coder: Coder | undefined;
  /** Whether a look is due. Unknown in a fresh instance: an earlier one may have scheduled it. */
  #watched: "unknown" | "on" | "off" = "unknown";

  override readonly taskDefinitions = {
    "request@1": (input: { request: string }, step: TaskStep) => this.#run(input.request, step),
    "give-up@1": (input: { request: string; error: string }, step: TaskStep) =>
      this.#giveUp(input.request, input.error, step),
  } satisfies TaskHandlers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new TaskStore(ctx.storage);
    const container = this.engine();
    const settings = readSettings(env);
    if (container === undefined || !settings.ok) return;
    this.#coder = new Coder(container, {
      agent: "claude-code",
      model: settings.value.codingModel.model,
      fence: () => coderFence(this.ctx.exports, this.name, this.#store),
    });
    this.lifecycle.use(this.#coder.harness);
  }

  /** The container of this object. The development Worker puts another engine's here. */
  protected engine(): Container | undefined {
    return this.ctx.container;
  }

  override async onStart(): Promise<void> {
    // What a container does must not keep deliveries out.
    await this.#coder?.reattach().catch((thrown: unknown) => this.onError(thrown));
    await this.#startNext();
  }

  /** Take a delivery in. When this returns, the storage holds it. */
  async accept(event: RepoEvent, decision: Extract<Decision, { act: true }>): Promise<Accepted> {
    const accepted = this.#store.accept(event, decision, Date.now());
    // Also for one that is known: storing it may have been all that succeeded the first time.
    await this.#startNext();
    return accepted;
  }

  /** How each request ended, oldest first. */
  async ends(): Promise<{ request: string; end: RequestEnd | undefined }[]> {
    return this.#store.ends();
  }

  /**
   * Called by schedule while a request is open. Its being called is the point: after a crash nothing else would wake
   * this object for minutes. A request whose run failed is brought to its end; one that runs is left alone.
   */
  async watch(): Promise<void> {
    await this.look();
    // The row of the schedule that called is there until this returns, so an idempotent one would find it and add none.
    this.#watched = "off";
    if (this.#store.current() !== undefined) await this.#watchLater();
  }

  /** Called by schedule, once: a request whose run has just failed is brought to its end. */
  async look(): Promise<void> {
    await this.#startNext();
  }

  /** Run the oldest request that has not ended. Joining a run that exists is no second start. */
  async #startNext(): Promise<void> {
    const request = this.#store.current();
    if (request === undefined) return;
    await this.#watchLater();
    const input = { request: request.id };
    const receipt = await this.tasks.run("request@1", input, { idempotencyKey: request.id, retain: true });
    if (receipt.state !== "failed" && receipt.state !== "cancelled") return;
    const run = await this.tasks.get(receipt.runId);
    const error = run?.state === "failed" ? run.error.message : "cancelled";
    const gaveUp = await this.tasks.run(
      "give-up@1",
      { ...input, error },
      { idempotencyKey: `${request.id}:give-up` },
    );
    if (gaveUp.state !== "failed" && gaveUp.state !== "cancelled") return;
    // Two weeks without GitHub: the thread must not stay blocked for what nobody can be told any more.
    this.#store.end(request.id, { state: "failed", why: "internal" }, Date.now());
    await this.#startNext();
  }

  /** See to it that a look is due, once. */
  async #watchLater(): Promise<void> {
    if (this.#watched === "on") return;
    const idempotent = this.#watched === "unknown";
    // Set before the wait, so that two callers add one row; a call that fails knows nothing of the rows.
    this.#watched = "on";
    try {
      await this.schedule(this.#watchSeconds(), "watch", undefined, { idempotent });
    } catch (error) {
      this.#watched = "unknown";
      throw error;
    }
  }

  /**
   * A request that was accepted is not lost to a deploy that breaks a setting: it sleeps until the operator has mended
   * it. The door turns new deliveries away meanwhile and says what to mend.
   */
  async #usableSettings(step: TaskStep): Promise<Settings> {
    for (let n = 1; ; n++) {
      const settings = readSettings(this.env);
      if (settings.ok) return settings.value;
      createLog([]).error("settings.broken", { task: this.name, setting: settings.fault.setting });
      await step.sleep(`settings:${n}`, "1 minute");
    }
  }

  #watchSeconds(): number {
    const settings = readSettings(this.env);
    return settings.ok ? settings.value.patience.watchSeconds : 60;
  }

  async #run(id: string, step: TaskStep): Promise<void> {
    const request = this.#store.request(id);
    if (request === undefined || this.#store.hasEnded(id)) return;
    const settings = await this.#usableSettings(step);
    try {
      await this.#end(request, await runRequest(this.#context(request, settings, step, "")), settings);
    } catch (thrown) {
      // A sleep and a retry leave by a throw as well, so which it is, is seen a moment later by the run's state.
      await this.schedule(new Date(Date.now() + 200), "look");
      throw thrown;
    }
  }

  async #giveUp(id: string, error: string, step: TaskStep): Promise<void> {
    const request = this.#store.request(id);
    if (request === undefined || this.#store.hasEnded(id)) return;
    const settings = await this.#usableSettings(step);
    this.#log(settings).error("request.broke", { task: this.name, request: id, error });
    await step.do("coder:stop", async () => this.#coder?.stop().catch(() => undefined));
    await this.#end(request, await giveUp(this.#context(request, settings, step, "give-up:")), settings);
  }

  async #end(request: TaskRequest, end: RequestEnd, settings: Settings): Promise<void> {
    this.#store.end(request.id, end, Date.now());
    const why = end.state === "failed" ? end.why : end.state === "refused" ? end.because : undefined;
    this.#log(settings).info("request.ended", {
      task: this.name,
      request: request.id,
      state: end.state,
      why,
    });
    await this.#startNext();
  }

  #context(request: TaskRequest, settings: Settings, step: TaskStep, phase: string): Run {
    const log = this.#log(settings);
    const journal = new Journal(step, settings.patience.retryMs, (name, ms) => {
      log.info("step", { task: this.name, request: request.id, step: name, ms });
    });
    const ledger = new Ledger(this.ctx.storage.sql, settings.patience.readLagMs);
    const ports = taskPorts(this.env, this.ctx.exports, settings, request, this.#coder, this.#store);
    const { thread, said } = request.event;
    const where = {
      task: this.name,
      request: request.id,
      number: thread.number,
      since: said.at,
      phase,
      said: this.#store.memory(request.id, "said"),
    };
    const status = new Status(where, journal, ledger, ports.thread);
    return {
      task: this.name,
      slug: settings.slug,
      request,
      journal,
      ledger,
      store: this.#store,
      ports,
      status,
    };
  }

  #log(settings: Settings): Log {
    return createLog(settings.secrets);
  }

  override onError(thrown: unknown): void {
    createLog([]).error("task.error", { task: this.name, error: messageOf(thrown) });
  }
}
