/** A request's run on the real store, ledger and journal of an object nobody else uses, in a small world. */
import { env, runInDurableObject } from "cloudflare:test";
import { DEFAULT_CONFIG } from "../../src/config/schema.ts";
import { Journal } from "../../src/task/journal.ts";
import { Ledger } from "../../src/task/ledger.ts";
import type { Pinned, Run } from "../../src/task/run.ts";
import { Status } from "../../src/task/status.ts";
import { TaskStore } from "../../src/task/store.ts";
import { acting, eventOf, guid } from "./events.ts";
import { SmallWorld } from "./small-world.ts";
import { Steps } from "./steps.ts";

export const TASK = "github.example:42:5";

export const PINNED: Pinned = {
  repository: {
    id: 42,
    owner: "octo",
    name: "hello",
    defaultBranch: "main",
    private: false,
    archived: false,
  },
  head: { commit: "base", tree: "tree", branch: "main" },
  config: DEFAULT_CONFIG,
};

export class Bench {
  readonly world = new SmallWorld();
  steps = new Steps();
  readonly store: TaskStore;
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState) {
    this.store = new TaskStore(state.storage);
    this.store.accept(eventOf(guid(1), 900), acting(900), 1);
    this.#sql = state.storage.sql;
  }

  /** The run as after a restart: steps that ended are known, everything else is as stored. */
  run(phase = ""): Run {
    const { store, world } = this;
    const request = store.request("r1");
    if (request === undefined) throw new Error("there is no request");
    const journal = new Journal(this.steps.replay(), 2_000, () => undefined);
    const ledger = new Ledger(this.#sql, 15_000, async () => undefined);
    const ports = world.ports();
    const said = store.memory("r1", "said");
    const place = { task: TASK, request: "r1", number: 5, since: "2026-11-01T10:00:00Z", phase, said };
    const status = new Status(place, journal, ledger, ports.thread);
    return { task: TASK, slug: "patchwright", request, journal, ledger, store, ports, status };
  }
}

let objects = 0;

export function onBench(work: (bench: Bench) => Promise<void>): Promise<void> {
  const stub = env.TASK.getByName(`bench-${++objects}`);
  return runInDurableObject(stub, (_, state) => work(new Bench(state)));
}
