import { describe, expect, it } from "vitest";
import { parts } from "../../../dev/world/person.ts";
import { journeys } from "./journey.ts";

const journey = journeys();
const REPOSITORY = {
  "README.md": "# Numbers\n",
  "src/add.ts": "export const add = (a: number, b: number) => a - b;\n",
};

describe("a mention that is a question", () => {
  it("is answered in one comment, from what a program found in the repository", async () => {
    const { ask, repository, said, writes } = journey();
    const name = await repository(REPOSITORY);
    const { issue, comment } = await ask(
      name,
      `@patchwright what does add do?
%% code: const { matches } = await repo.search({ query: "a - b" }); return matches[0].path + ":" + matches[0].line;
%% say: It subtracts.`,
    );
    expect(comment).toContain("It subtracts.");
    expect(comment).toContain('`search({"query":"a - b"})`');
    expect(await said(name, issue)).toHaveLength(1);
    expect(writes(name)).toEqual([
      `POST /issues/${issue}/reactions`,
      `POST /issues/${issue}/comments`,
      expect.stringMatching(/^PATCH \/issues\/comments\/\d+$/),
    ]);
  });

  it("gets eyes on the comment that asked", async () => {
    const { ada, final, repository } = journey();
    const name = await repository(REPOSITORY);
    const issue = await ada.openIssue(name, { title: "Plain", body: "No mention here." });
    const comment = await ada.comment(name, issue, "@patchwright hello\n%% say: Hello.");
    await final(name, issue);
    const reactions = await ada.octokit.rest.reactions.listForIssueComment({
      ...parts(name),
      comment_id: comment,
    });
    expect(reactions.data.map(({ content, user }) => [content, user?.login])).toEqual([
      ["eyes", "patchwright[bot]"],
    ]);
  });

  it("without words is answered with what can be asked, and no model is called", async () => {
    const { ada, final, repository, world } = journey();
    const name = await repository(REPOSITORY);
    const issue = await ada.openIssue(name, { title: "Talk", body: "Words." });
    const before = world.model?.requests.length;
    await ada.comment(name, issue, "@patchwright");
    expect(await final(name, issue)).toContain("Mention me with a question");
    expect(world.model?.requests.length).toBe(before);
  });

  it("sees the thread as it was when asked, and not what was added later", async () => {
    const { ada, final, person, repository, world } = journey();
    const name = await repository(REPOSITORY);
    const issue = await ada.openIssue(name, { title: "Talk", body: "First words." });
    await person("rob").comment(name, issue, "An earlier remark.");
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await ada.comment(name, issue, "@patchwright what was said?\n%% say: Read.");
    await final(name, issue);
    const prompt = world.model?.requests.findLast(({ body }) => body.includes("what was said?"))?.body ?? "";
    expect(prompt).toContain("An earlier remark.");
    expect(prompt).toContain("First words.");
  });
});

describe("two mentions", () => {
  it("on one thread are done in order, each with a comment of its own", async () => {
    const { ada, ends, final, repository } = journey();
    const name = await repository(REPOSITORY);
    const issue = await ada.openIssue(name, {
      title: "Two",
      body: "@patchwright one\n%% wait: 300\n%% say: First.",
    });
    await ada.comment(name, issue, "@patchwright two\n%% say: Second.");
    expect(await final(name, issue, 1)).toContain("First.");
    await final(name, issue, 2);
    expect((await ends(name, issue)).map(({ request }) => request)).toEqual(["r1", "r2"]);
  });

  it("on two threads do not wait for each other", async () => {
    const { ada, final, repository, said } = journey();
    const name = await repository(REPOSITORY);
    const slow = await ada.openIssue(name, {
      title: "Slow",
      body: "@patchwright go\n%% wait: 3000\n%% say: Slow.",
    });
    const fast = await ada.openIssue(name, { title: "Fast", body: "@patchwright go\n%% say: Fast." });
    expect(await final(name, fast)).toContain("Fast.");
    expect((await said(name, slow)).join()).toContain("Working on it");
    expect(await final(name, slow)).toContain("Slow.");
  });
});

describe("an edit or a reply of our own", () => {
  it("never wakes the bot, even if it quotes a mention", async () => {
    const { ada, ask, ends, repository, world } = journey();
    const name = await repository(REPOSITORY);
    const { issue } = await ask(
      name,
      "@patchwright help me\n%% say: Mention `@patchwright` again, or @patchwright like so.",
    );
    await ada.comment(name, issue, "> @patchwright help me\n\nThanks, that was it.");
    await world.github.idle();
    expect(await ends(name, issue)).toHaveLength(1);
  });
});
