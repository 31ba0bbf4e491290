import type { TaskStep, TaskStepConfig } from "agents/tasks";
import { describe, expect, it } from "vitest";
import { GitHubError, type GitHubFault } from "../../src/domain/github-fault.ts";
import { Journal } from "../../src/task/journal.ts";

/** agents' step over a map: a step that ended answers from it, one that threw is run again by the next replay. */
class Steps implements TaskStep {
  readonly interrupted = null;
  readonly kept = new Map<string, unknown>();
  readonly slept: [string, number][] = [];
  readonly configs: TaskStepConfig[] = [];

  async do<T>(name: string, ...rest: unknown[]): Promise<T> {
    const [config, work] = rest;
    this.configs.push(config as TaskStepConfig);
    if (!this.kept.has(name)) this.kept.set(name, await (work as () => Promise<T>)());
    return this.kept.get(name) as T;
  }
  async sleep(name: string, duration: number | string): Promise<void> {
    this.slept.push([name, Number(duration)]);
  }
  async sleepUntil(name: string, when: number | Date): Promise<void> {
    this.slept.push([name, Number(when)]);
  }
  async status(): Promise<void> {}
  idempotencyKey(name: string): string {
    return name;
  }
}

const refusing = (why: GitHubFault["why"], retryAt?: number) => () =>
  Promise.reject(new GitHubError({ why, status: 0, detail: "d", ...(retryAt !== undefined && { retryAt }) }));

function setUp() {
  const steps = new Steps();
  const timed: string[] = [];
  const replay = () => new Journal(steps, 2_000, (name) => timed.push(name));
  return { steps, timed, replay };
}

describe("a step", () => {
  it("that ended is not done again by a replay, and gives the same", async () => {
    const { replay, timed } = setUp();
    let done = 0;
    const work = async () => ({ n: ++done });
    expect(await replay().do("a", work)).toEqual({ n: 1 });
    expect(await replay().do("a", work)).toEqual({ n: 1 });
    expect(timed).toEqual(["a"]);
  });

  it.each([
    ["undefined", undefined, undefined],
    ["null", null, null],
    ["a text", "a\ud83d\ude00", "a\ud83d\ude00"],
    ["an object with a hole", { a: 1, b: undefined }, { a: 1 }],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
  ])("gives the first time what a replay gives: %s", async (_, value, kept) => {
    const { replay } = setUp();
    const first: unknown = await replay().do("a", async () => value);
    const again: unknown = await replay().do("a", async () => "another");
    expect(first).toStrictEqual(kept);
    expect(again).toStrictEqual(kept);
  });

  it("that throws is not kept", async () => {
    const { replay } = setUp();
    await expect(replay().do("a", () => Promise.reject(new Error("reset")))).rejects.toThrow("reset");
    expect(await replay().do("a", async () => 2)).toBe(2);
  });

  it("is tried again after a wait that doubles", async () => {
    const { replay, steps } = setUp();
    await replay().do("a", async () => 1);
    expect(steps.configs).toEqual([{ retries: { limit: 8, delay: 2_000, backoff: "exponential" } }]);
  });
});

describe("a step that GitHub refuses", () => {
  it.each<GitHubFault["why"]>(["gone", "forbidden", "empty", "conflict", "invalid"])(
    "for good (%s) is kept as a value: a replay does not ask again",
    async (why) => {
      const { replay } = setUp();
      expect(await replay().github("a", refusing(why))).toMatchObject({ ok: false, fault: { why } });
      expect(await replay().github("a", async () => 1)).toMatchObject({ ok: false, fault: { why } });
    },
  );

  it.each<GitHubFault["why"]>(["unavailable", "unauthorised"])(
    "for now (%s) is thrown, to be tried again",
    async (why) => {
      const { replay } = setUp();
      await expect(replay().github("a", refusing(why))).rejects.toThrow(why);
      expect(await replay().github("a", async () => 1)).toEqual({ ok: true, value: 1 });
    },
  );

  it("by a defect of ours is thrown as it is", async () => {
    const { replay } = setUp();
    await expect(
      replay().github("a", () => Promise.reject(new TypeError("x is not a function"))),
    ).rejects.toThrow(TypeError);
  });

  it("by a rate limit sleeps until its end and goes on, and a replay takes the same path", async () => {
    const { replay, steps } = setUp();
    let tries = 0;
    const work = () => (++tries <= 2 ? refusing("limited", 5_000 + tries)() : Promise.resolve("done"));
    expect(await replay().github("a", work)).toEqual({ ok: true, value: "done" });
    const slept = [...steps.slept];
    expect(slept).toEqual([
      ["a:limit", 5_001],
      ["a#2:limit", 5_002],
    ]);
    expect(await replay().github("a", work)).toEqual({ ok: true, value: "done" });
    expect(tries).toBe(3);
    expect(steps.slept).toEqual([...slept, ...slept]);
  });

  it("by a rate limit without end counts as GitHub being away, after ten sleeps", async () => {
    const { replay, steps } = setUp();
    expect(await replay().github("a", refusing("limited", 1))).toMatchObject({
      ok: false,
      fault: { why: "limited" },
    });
    expect(steps.slept).toHaveLength(10);
    expect(new Set(steps.slept.map(([name]) => name)).size).toBe(10);
  });

  it("is asked far longer where people must see the result", async () => {
    const { replay, steps } = setUp();
    await replay().github("a", async () => 1, true);
    expect(steps.configs[0]?.retries?.limit).toBe(30);
  });
});
