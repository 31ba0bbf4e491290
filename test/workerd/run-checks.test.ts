import { describe, expect, it } from "vitest";
import { runChecks, type CheckOrder } from "../../src/coding/run-checks.ts";
import type { Ran } from "../../src/domain/container-protocol.ts";

const ORDER: CheckOrder = {
  commit: "c".repeat(40),
  changes: [{ op: "delete", path: "a" }],
  plan: {
    source: "package.json",
    decidedBy: ["package.json"],
    prepare: [{ name: "npm ci", argv: ["npm", "ci"] }],
    test: [
      { name: "npm test", argv: ["npm", "test"] },
      { name: "npm run lint", argv: ["npm", "run", "lint"] },
    ],
  },
  secondsPerCommand: 60,
};

type Answer = Partial<Ran> | { why: "disk" | "path-refused" | "container-lost" | "tool-broke" };

/** A container in which each subcommand, or the command it runs, ends as it is told; else well. */
function container(answers: Readonly<Record<string, Answer>> = {}) {
  const calls: string[] = [];
  const call: Parameters<typeof runChecks>[1] = async (name, input) => {
    const what = "argv" in input ? input.argv.join(" ") : name;
    calls.push(what);
    const answer = answers[what] ?? {};
    if ("why" in answer) return { ok: false, fault: { why: answer.why, detail: "d" } };
    const value = { exit: 0, output: "", ms: 1, cut: false, timedOut: false, ...answer };
    return { ok: true, value };
  };
  return { calls, call };
}

describe("the checks in a clean container", () => {
  it("check out the base, apply the files, prepare, then run every test", async () => {
    const { calls, call } = container();
    expect(await runChecks(ORDER, call)).toMatchObject({
      outcome: "passed",
      results: [{ name: "npm ci" }, { exit: 0 }, { exit: 0 }],
    });
    expect(calls).toEqual(["checkout", "apply", "npm ci", "npm test", "npm run lint"]);
  });

  it.each<[string, Answer]>([
    ["fails", { exit: 1 }],
    ["is killed", { exit: null }],
    ["runs out of time", { exit: null, timedOut: true }],
  ])("fail where one test %s, and still run the others", async (_, answer) => {
    const { calls, call } = container({ "npm test": answer });
    expect((await runChecks(ORDER, call)).outcome).toBe("failed");
    expect(calls.at(-1)).toBe("npm run lint");
  });

  it("say nothing of the change where the container has no such command, and run no further", async () => {
    const { calls, call } = container({ "npm test": { exit: 127, output: "sh: pytest: not found" } });
    expect(await runChecks(ORDER, call)).toMatchObject({
      outcome: "not-run",
      why: "`npm test`: the container has no such command",
      results: [{ name: "npm ci" }, { name: "npm test", exit: 127, output: "sh: pytest: not found" }],
    });
    expect(calls.at(-1)).toBe("npm test");
  });

  it.each([126, 128, 2])("fail where a test ends with %i: that is its own word", async (exit) => {
    const { call } = container({ "npm test": { exit } });
    expect((await runChecks(ORDER, call)).outcome).toBe("failed");
  });

  it("say nothing of the change where it could not be prepared", async () => {
    const { calls, call } = container({ "npm ci": { exit: 1, output: "404" } });
    expect(await runChecks(ORDER, call)).toMatchObject({
      outcome: "not-run",
      why: "`npm ci` failed",
      results: [{ output: "404" }],
    });
    expect(calls).not.toContain("npm test");
  });

  it.each([
    ["checkout", "the base commit could not be checked out (disk)"],
    ["apply", "the files could not be applied to the base commit (disk)"],
    ["npm ci", "`npm ci` could not be run (disk)"],
    ["npm test", "`npm test` could not be run (disk)"],
  ])("are not run where the tool refuses at %s", async (what, why) => {
    const { call } = container({ [what]: { why: "disk" } });
    expect(await runChecks(ORDER, call)).toMatchObject({ outcome: "not-run", why });
  });

  it.each(["checkout", "apply", "npm ci", "npm test"])(
    "throw where the container is lost at %s, to be tried again",
    async (what) => {
      const { call } = container({ [what]: { why: "container-lost" } });
      await expect(runChecks(ORDER, call)).rejects.toThrow(/could not be/);
    },
  );

  it("show no secret that a command printed", async () => {
    const token = `ghp_${"a1".repeat(20)}`;
    const { call } = container({ "npm test": { exit: 1, output: `token ${token}` } });
    expect(JSON.stringify(await runChecks(ORDER, call))).not.toContain(token);
  });
});
