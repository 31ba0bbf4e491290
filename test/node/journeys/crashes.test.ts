import { afterEach, describe, expect, it } from "vitest";
import type { Fault } from "../../../dev/github/options.ts";
import { parts } from "../../../dev/world/person.ts";
import { journeys } from "./journey.ts";

const journey = journeys();
const UNTESTED = { "README.md": "# Words\n", "src/word.txt": "wrod\n" };
const CHANGE = String.raw`@patchwright go
%% propose: Spell it.
%% write: src/word.txt <<<word\n`;

afterEach(() => journey().world.github.faults.clear());

/** What there must be of one request, whatever happened on the way. */
async function expectOneOfEach(name: string, issue: number) {
  const { ada, said } = journey();
  const { data: pulls } = await ada.octokit.rest.pulls.list({ ...parts(name), state: "all" });
  expect(pulls.map(({ head }) => head.ref)).toEqual([`patchwright/issue-${issue}-spell-it`]);
  const comments = await said(name, issue);
  expect(comments).toHaveLength(1);
  expect(comments[0]).toContain(`**Opened a draft, #${pulls[0]?.number}**`);
  const { data: branches } = await ada.octokit.rest.repos.listBranches(parts(name));
  expect(branches.map(({ name: branch }) => branch).sort()).toEqual([
    "main",
    `patchwright/issue-${issue}-spell-it`,
  ]);
}

describe("writes to GitHub whose answers are lost", () => {
  const WRITES: readonly RegExp[] = [
    /\/reactions$/,
    /\/issues\/\d+\/comments$/,
    /\/git\/blobs$/,
    /\/git\/trees$/,
    /\/git\/commits$/,
    /\/git\/refs$/,
    /\/pulls$/,
  ];

  it.each<[string, Fault["kind"]]>([
    ["after they were applied", { kind: "lost" }],
    ["behind a 502, though they were applied", { kind: "lost-status", status: 502 }],
    ["before they were applied", { kind: "status", status: 503 }],
  ])("are neither doubled nor missing, each kind of write in one run: %s", async (_, kind) => {
    const { ask, repository, world, writes } = journey();
    const name = await repository(UNTESTED);
    for (const path of WRITES) world.github.faults.add({ match: { method: "POST", path }, times: 1, kind });
    const { issue } = await ask(name, CHANGE, "Words");
    await expectOneOfEach(name, issue);
    // Each fault was met: what was lost was tried, or looked for, again.
    expect(
      world.github.audit.entries.filter(({ lost, status }) => lost === true || status >= 500).length,
    ).toBeGreaterThan(0);
    expect(writes(name).filter((write) => write === "POST /pulls").length).toBeLessThanOrEqual(2);
  });

  it("and whose effect a list shows only later, is not doubled", async () => {
    const { ask, repository, world } = journey();
    const name = await repository(UNTESTED);
    world.github.faults.add({ match: { path: /comments|pulls/ }, kind: { kind: "lag", ms: 120 } });
    world.github.faults.add({
      match: { method: "POST", path: /comments$/ },
      times: 1,
      kind: { kind: "lost" },
    });
    world.github.faults.add({ match: { method: "POST", path: /pulls$/ }, times: 1, kind: { kind: "lost" } });
    const { issue } = await ask(name, CHANGE, "Words");
    await new Promise((resolve) => setTimeout(resolve, 200));
    await expectOneOfEach(name, issue);
  });
});

describe("a rate limit", () => {
  it("is waited out, asleep", async () => {
    const { ask, repository, world } = journey();
    const name = await repository(UNTESTED);
    world.github.faults.add({
      match: { method: "POST", path: /\/issues\/\d+\/comments$/ },
      times: 1,
      kind: { kind: "secondary-limit", retryAfter: 1 },
    });
    const { comment } = await ask(name, "@patchwright hello\n%% say: Hello.");
    expect(comment).toContain("Hello.");
  });
});

describe("a Worker that is restarted", () => {
  /** Wait until the Worker has logged a step, then restart it. */
  async function restartAt(step: string, from: number): Promise<void> {
    const { world } = journey();
    await expect
      .poll(() => world.worker.logs.slice(from).some((line) => line.includes(`"step":"${step}`)), {
        timeout: 30_000,
        interval: 10,
      })
      .toBe(true);
    await world.worker.restart();
  }

  it.each([
    ["after the delivery was accepted", "permission"],
    ["while it answers", "program:"],
    ["when the agent is handed its work", "coder:submit"],
    ["when the files are out", "coder:export"],
    ["when the commit is made", "r1:commit"],
    ["when the branch is there", "r1:branch"],
  ])("goes on where it was: %s", async (_, step) => {
    const { ada, final, repository, world } = journey();
    const name = await repository(UNTESTED);
    const from = world.worker.logs.length;
    const issue = await ada.openIssue(name, {
      title: "Words",
      body: CHANGE.replace("%% propose", "%% code: return 1\n%% propose"),
    });
    await restartAt(step, from);
    await final(name, issue);
    await expectOneOfEach(name, issue);
  });
});
