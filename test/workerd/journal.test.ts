import { describe, expect, it } from "vitest";
import { GitHubError, type GitHubFault } from "../../src/domain/github-fault.ts";
import { Journal } from "../../src/task/journal.ts";
import { Steps } from "./steps.ts";

const refusing = (why: GitHubFault["why"], retryAt?: number) => () =>
  Promise.reject(new GitHubError({ why, status: 0, detail: "d", ...(retryAt !== undefined && { retryAt }) }));

function setUp() {
  const steps = new Steps();
  const timed: string[] = [];
  const replay = () => new Journal(steps.replay(), 2_000, (name) => timed.push(name));
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
    ["undefined", undefined, null],
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

  it("that throws is tried again, and is not kept where the last try throws", async () => {
    const { replay, steps } = setUp();
    await expect(replay().do("a", () => Promise.reject(new Error("reset")))).rejects.toThrow("reset");
    expect(steps.tries.get("a")).toBe(8);
    expect(await replay().do("a", async () => 2)).toBe(2);
  });

  it.each([
    ["as it is", {}, 8],
    ["with a limit of its own", { retries: { limit: 3, delay: "5 seconds" } } as const, 3],
  ])("is told which of its tries is the last: %s", async (_, config, tries) => {
    const { replay } = setUp();
    const lasts: boolean[] = [];
    const work = ({ last }: { last: boolean }) => {
      lasts.push(last);
      return Promise.reject(new Error("again"));
    };
    await expect(replay().do("a", work, config)).rejects.toThrow("again");
    expect(lasts).toEqual(Array.from({ length: tries }, (__, n) => n === tries - 1));
  });

  it("that was given the last try ends with what it makes of it", async () => {
    const { replay } = setUp();
    const work = async ({ last }: { last: boolean }) => {
      if (!last) throw new Error("again");
      return "given up";
    };
    expect(await replay().do("a", work)).toBe("given up");
  });

  it("has a signal, to end what it waits for", async () => {
    const { replay } = setUp();
    expect(await replay().do("a", async ({ signal }) => signal.aborted)).toBe(false);
  });

  it("may give 900,000 characters of JSON full of quotes and backslashes: they are written once", async () => {
    const { replay } = setUp();
    const most = 900_000;
    const line = String.raw`say \"\\\"`;
    const value = Array.from({ length: Math.floor(most / (JSON.stringify(line).length + 1)) }, () => line);
    expect(JSON.stringify(value).length).toBeGreaterThan(most - 50);
    expect(await replay().do("a", async () => value)).toEqual(value);
    expect(await replay().do("a", async () => [])).toEqual(value);
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
    "for now (%s) is asked again, and is kept once it answers",
    async (why) => {
      const { replay, steps } = setUp();
      let tries = 0;
      const work = () => (++tries <= 7 ? refusing(why)() : Promise.resolve("done"));
      expect(await replay().github("a", work)).toEqual({ ok: true, value: "done" });
      expect(await replay().github("a", refusing(why))).toEqual({ ok: true, value: "done" });
      expect(steps.tries.get("a")).toBe(8);
    },
  );

  it.each<[GitHubFault["why"], boolean, number]>([
    ["unavailable", false, 8],
    ["unauthorised", false, 8],
    ["unavailable", true, 30],
  ])(
    "for now (%s, for long: %s) comes back as a value after the last of %i tries",
    async (why, long, tries) => {
      const { replay, steps } = setUp();
      expect(await replay().github("a", refusing(why), long)).toMatchObject({ ok: false, fault: { why } });
      expect(steps.tries.get("a")).toBe(tries);
      expect(await replay().github("a", async () => 1, long)).toMatchObject({ ok: false, fault: { why } });
      expect(steps.tries.get("a")).toBe(tries);
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
