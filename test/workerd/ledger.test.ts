import { env, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { GitHubError, type GitHubFault } from "../../src/domain/github-fault.ts";
import { Ledger, type Effect } from "../../src/task/ledger.ts";
import { TaskStore } from "../../src/task/store.ts";

const LAG_MS = 15_000;
let objects = 0;

/** A world in which a write can be applied without its answer arriving. */
class World {
  readonly done: string[] = [];
  readonly waited: number[] = [];
  now = 1_000_000;
  applied: number | undefined;
  readonly #sql: SqlStorage;

  constructor(state: DurableObjectState) {
    // Makes the table.
    void new TaskStore(state.storage);
    this.#sql = state.storage.sql;
  }

  /** A ledger as after a restart: it knows only what is stored. */
  ledger(): Ledger {
    const wait = async (ms: number) => {
      this.waited.push(ms);
      this.now += ms;
    };
    return new Ledger(this.#sql, LAG_MS, wait, () => this.now);
  }

  effect(how: "works" | "answer-lost" | "request-lost" | GitHubFault["why"]): Effect<{ id: number }> {
    return {
      key: "r1:status",
      kind: "comment",
      send: async () => {
        this.done.push("send");
        if (how === "works" || how === "answer-lost") this.applied = 900 + this.done.length;
        if (how === "works") return { id: this.applied ?? 0 };
        const why = how === "answer-lost" || how === "request-lost" ? "unavailable" : how;
        throw new GitHubError({ why, status: 0, detail: how });
      },
      probe: async () => {
        this.done.push("probe");
        return this.applied === undefined ? undefined : { id: this.applied };
      },
    };
  }
}

function inWorld(work: (world: World) => Promise<void>): Promise<void> {
  const stub = env.TASK.getByName(`ledger-${++objects}`);
  return runInDurableObject(stub, (_, state) => work(new World(state)));
}

describe("a write to GitHub", () => {
  it("that was confirmed is not sent again, and gives what it gave", () =>
    inWorld(async (world) => {
      expect(await world.ledger().perform(world.effect("works"))).toEqual({ id: 901 });
      expect(await world.ledger().perform(world.effect("works"))).toEqual({ id: 901 });
      expect(world.done).toEqual(["send"]);
    }));

  it("whose answer was lost is found and adopted, not doubled", () =>
    inWorld(async (world) => {
      await expect(world.ledger().perform(world.effect("answer-lost"))).rejects.toThrow("answer-lost");
      expect(await world.ledger().perform(world.effect("works"))).toEqual({ id: 901 });
      expect(await world.ledger().perform(world.effect("works"))).toEqual({ id: 901 });
      expect(world.done).toEqual(["send", "probe"]);
    }));

  it("that never arrived is looked for, then sent again", () =>
    inWorld(async (world) => {
      await expect(world.ledger().perform(world.effect("request-lost"))).rejects.toThrow("request-lost");
      await world.ledger().perform(world.effect("works"));
      expect(world.done).toEqual(["send", "probe", "send"]);
    }));

  it("that a crash cut off is looked for: the row was written before the request left", () =>
    inWorld(async (world) => {
      const crashed = world.effect("works");
      const dying = { ...crashed, send: async () => Promise.reject(new Error("the object was reset")) };
      await expect(world.ledger().perform(dying)).rejects.toThrow("reset");
      world.applied = 77;
      expect(await world.ledger().perform(world.effect("works"))).toEqual({ id: 77 });
      expect(world.done).toEqual(["probe"]);
    }));

  it.each<GitHubFault["why"]>(["gone", "forbidden", "empty", "conflict", "invalid"])(
    "that GitHub refused (%s) is sent again without looking",
    (why) =>
      inWorld(async (world) => {
        await expect(world.ledger().perform(world.effect(why))).rejects.toThrow(why);
        await world.ledger().perform(world.effect("works"));
        expect(world.done).toEqual(["send", "send"]);
        expect(world.waited).toEqual([]);
      }),
  );

  it("waits until GitHub's lists must show it, and no longer", () =>
    inWorld(async (world) => {
      await expect(world.ledger().perform(world.effect("answer-lost"))).rejects.toThrow();
      world.now += 5_000;
      await world.ledger().perform(world.effect("works"));
      expect(world.waited).toEqual([LAG_MS - 5_000]);
    }));

  it("does not wait once that time has passed", () =>
    inWorld(async (world) => {
      await expect(world.ledger().perform(world.effect("answer-lost"))).rejects.toThrow();
      world.now += LAG_MS;
      await world.ledger().perform(world.effect("works"));
      expect(world.waited).toEqual([]);
    }));

  it("counts that time from its last send, not from its first", () =>
    inWorld(async (world) => {
      await expect(world.ledger().perform(world.effect("request-lost"))).rejects.toThrow();
      world.now += 60_000;
      await expect(world.ledger().perform(world.effect("answer-lost"))).rejects.toThrow();
      await world.ledger().perform(world.effect("works"));
      expect(world.waited).toEqual([LAG_MS]);
      expect(world.done).toEqual(["send", "probe", "send", "probe"]);
    }));

  it("stays in doubt where looking fails, and is not sent", () =>
    inWorld(async (world) => {
      await expect(world.ledger().perform(world.effect("answer-lost"))).rejects.toThrow();
      const blind = { ...world.effect("works"), probe: () => Promise.reject(new Error("GitHub is away")) };
      await expect(world.ledger().perform(blind)).rejects.toThrow("away");
      expect(world.done).toEqual(["send"]);
      expect(await world.ledger().perform(world.effect("works"))).toEqual({ id: 901 });
    }));

  it("that does the same twice is simply sent again", () =>
    inWorld(async (world) => {
      const { probe: _, ...lost } = world.effect("answer-lost");
      const { probe: __, ...works } = world.effect("works");
      await expect(world.ledger().perform(lost)).rejects.toThrow();
      await world.ledger().perform(works);
      expect(world.done).toEqual(["send", "send"]);
      expect(world.waited).toEqual([]);
    }));

  it("is one row per key: two keys are two writes", () =>
    inWorld(async (world) => {
      await world.ledger().perform(world.effect("works"));
      await world.ledger().perform({ ...world.effect("works"), key: "r2:status" });
      expect(world.done).toEqual(["send", "send"]);
    }));
});
