import { afterEach, describe, expect, it } from "vitest";
import { parts } from "../../../dev/world/person.ts";
import { journeys } from "./journey.ts";

const journey = journeys();
const UNTESTED = { "README.md": "# Words\n", "src/word.txt": "wrod\n" };
const CHANGE = String.raw`@patchwright go
%% propose: Spell it.
%% write: src/word.txt <<<word\n`;

afterEach(() => journey().world.github.faults.clear());

async function pulls(name: string) {
  const { data } = await journey().ada.octokit.rest.pulls.list({ ...parts(name), state: "all" });
  return data;
}

/** An issue that is at work for some seconds: its status comment is there, its answer is not. */
async function talk(name: string): Promise<number> {
  const { ada, said } = journey();
  const issue = await ada.openIssue(name, {
    title: "Talk",
    body: "@patchwright hello\n%% wait: 2500\n%% say: Hello.",
  });
  await expect.poll(() => said(name, issue), { timeout: 20_000, interval: 10 }).toHaveLength(1);
  return issue;
}

describe("a person's act", () => {
  it("wins over an edit: a status comment that someone changed is left alone, and the end is said beside it", async () => {
    const { person, repository, said, world } = journey();
    const name = await repository();
    const issue = await talk(name);
    const max = person("max");
    world.github.setPermission(name, "max", "admin");
    const comment = (await max.comments(name, issue)).find(({ body }) => body.includes("Working on it"));
    const comment_id = comment?.id ?? 0;
    await max.octokit.rest.issues.updateComment({ ...parts(name), comment_id, body: "Mine now." });
    await expect
      .poll(() => said(name, issue), { timeout: 10_000 })
      .toEqual(["Mine now.", expect.stringContaining("Hello.")]);
  });

  it("wins over a repetition: a status comment that someone deleted does not come back, the end is said once", async () => {
    const { person, repository, said, world } = journey();
    const name = await repository();
    const issue = await talk(name);
    world.github.setPermission(name, "max", "admin");
    const max = person("max");
    const comment = (await max.comments(name, issue)).find(({ body }) => body.includes("Working on it"));
    await max.octokit.rest.issues.deleteComment({ ...parts(name), comment_id: comment?.id ?? 0 });
    await expect
      .poll(() => said(name, issue), { timeout: 10_000 })
      .toEqual([expect.stringContaining("Hello.")]);
  });

  it("wins over a closed pull request: the next request opens one of its own, under a name of its own", async () => {
    const { ada, ask, final, repository, world } = journey();
    const name = await repository(UNTESTED);
    const { issue } = await ask(name, CHANGE, "Words");
    const [first] = await pulls(name);
    const { ref } = first?.head ?? { ref: "" };
    await ada.octokit.rest.pulls.update({ ...parts(name), pull_number: first?.number ?? 0, state: "closed" });
    await ada.octokit.rest.git.deleteRef({ ...parts(name), ref: `heads/${ref}` });
    world.github.faults.add({
      match: { method: "POST", path: /\/pulls$/ },
      times: 1,
      kind: { kind: "status", status: 503 },
    });
    await ada.comment(name, issue, CHANGE);
    expect(await final(name, issue, 2)).toContain("**Opened a draft");
    expect((await pulls(name)).map(({ state }) => state).sort()).toEqual(["closed", "open"]);
  });

  it("of losing permission while the agent works is seen before anything is published", async () => {
    const { ada, final, repository, world } = journey();
    const name = await repository(UNTESTED);
    const from = world.worker.logs.length;
    const issue = await ada.openIssue(name, { title: "Words", body: `${CHANGE}\n%% bash: sleep 1` });
    await expect
      .poll(() => world.worker.logs.slice(from).some((line) => line.includes("coder:submit")))
      .toBe(true);
    world.github.setPermission(name, "ada", "read");
    expect(await final(name, issue)).toContain("may no longer write");
    expect(await pulls(name)).toEqual([]);
  });
});

describe("a second request on a thread", () => {
  it("starts from the base commit, with an agent that remembers nothing of the first", async () => {
    const { ada, ask, final, repository, world } = journey();
    const name = await repository(UNTESTED);
    const { issue } = await ask(name, CHANGE, "Words");
    const from = world.model?.requests.length ?? 0;
    await ada.comment(
      name,
      issue,
      "@patchwright again\n%% propose: Add a line.\n%% bash: echo more >> README.md",
    );
    expect(await final(name, issue, 2)).toContain("**Opened a draft");
    const [second] = await pulls(name);
    const { data: files } = await ada.octokit.rest.pulls.listFiles({
      ...parts(name),
      pull_number: second?.number ?? 0,
    });
    expect(files.map(({ filename }) => filename)).toEqual(["README.md"]);
    const prompts = (world.model?.requests.slice(from) ?? []).filter(({ path }) =>
      path.includes("beta=true"),
    );
    expect(prompts.length).toBeGreaterThan(0);
    expect(
      prompts.every(({ body }) => !body.includes('"tool_use"') || !body.includes("src/word.txt <<<")),
    ).toBe(true);
  });
});

describe("GitHub that is away", () => {
  it("for every comment of a while costs no work: the pull request is there, and the end is said in the end", async () => {
    const { ada, final, repository, world } = journey();
    const name = await repository(UNTESTED);
    world.github.faults.add({
      match: { method: "POST", path: /\/issues\/\d+\/comments$/ },
      times: 9,
      kind: { kind: "status", status: 503 },
    });
    const issue = await ada.openIssue(name, { title: "Words", body: CHANGE });
    expect(await final(name, issue)).toContain("**Opened a draft");
    expect(await pulls(name)).toHaveLength(1);
  });

  it("when permission is asked is waited for, and nobody is answered who was not let in", async () => {
    const { person, ends, repository, said, world } = journey();
    const name = await repository();
    world.github.faults.add({
      match: { path: /\/permission$/ },
      times: 9,
      kind: { kind: "status", status: 503 },
    });
    const issue = await person("rob").openIssue(name, { title: "Please", body: "@patchwright hello" });
    await expect
      .poll(() => ends(name, issue), { timeout: 40_000 })
      .toMatchObject([{ end: { state: "refused" } }]);
    expect(await said(name, issue)).toEqual([]);
  });
});
