import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { finalComment, personIn } from "../../../dev/world/person.ts";
import { startWorld } from "../../../dev/world/start-world.ts";
import { journeys } from "./journey.ts";

const journey = journeys();

describe("someone who may not write", () => {
  it.each(["tri", "rob", "eve"])("is left alone, without a word in public: %s", async (login) => {
    const { person, ends, repository, said, world, writes } = journey();
    const name = await repository();
    const issue = await person(login).openIssue(name, {
      title: "Please",
      body: "@patchwright hello\n%% say: Hello.",
    });
    await world.github.idle();
    await expect.poll(() => ends(name, issue)).toMatchObject([{ end: { state: "refused" } }]);
    expect(await said(name, issue)).toEqual([]);
    expect(writes(name)).toEqual([]);
    expect(await ends(name, issue)).toMatchObject([
      { end: { because: expect.stringMatching(/^permission-/) } },
    ]);
  });

  it.each(["ada", "max"])("while one who may is answered: %s", async (login) => {
    const { person, final, repository } = journey();
    const name = await repository();
    const issue = await person(login).openIssue(name, {
      title: "Please",
      body: "@patchwright hello\n%% say: Hello.",
    });
    expect(await final(name, issue)).toContain("Hello.");
  });

  it("and a bot, whatever its name ends in, starts nothing", async () => {
    const { person, ends, repository, world, writes } = journey();
    const name = await repository();
    const issue = await person("lint-bot[bot]").openIssue(name, {
      title: "Lint",
      body: "@patchwright fix this",
    });
    await world.github.idle();
    const answers = world.github.deliveries().filter(({ event }) => event === "issues");
    expect(answers.at(-1)).toMatchObject({ statusCode: 202, response: '{"ignored":"bot-sender"}' });
    expect(await ends(name, issue)).toEqual([]);
    expect(writes(name)).toEqual([]);
  });
});

describe("what cannot be done", () => {
  it("an empty repository: is said, finally", async () => {
    const { ask, repository } = journey();
    const { comment } = await ask(await repository("empty"), "@patchwright what is here?");
    expect(comment).toContain("no commit yet");
  });

  it("a model that refuses the request: is said, finally", async () => {
    const { ask, repository } = journey();
    const { comment } = await ask(await repository(), "@patchwright hello\n%% fail: 400 always");
    expect(comment).toContain("The model's provider refuses the request");
  });

  it("a model that is overloaded and stays so: is said, finally", async () => {
    const { ask, ends, repository } = journey();
    const name = await repository();
    const { comment, issue } = await ask(name, "@patchwright hello\n%% fail: 529 always");
    expect(comment).toContain("overloaded");
    expect(await ends(name, issue)).toMatchObject([{ end: { why: "model-overloaded" } }]);
  });

  it("a model that is overloaded for a while: is waited for", async () => {
    const { ask, repository } = journey();
    const { comment } = await ask(
      await repository(),
      "@patchwright hello\n%% fail: 529 4\n%% say: There I am.",
    );
    expect(comment).toContain("There I am.");
  });

  it.each([["cut"], ["error-event"]])("a stream that breaks (%s) is asked for again", async (kind) => {
    const { ask, repository } = journey();
    const { comment } = await ask(await repository(), `@patchwright hello\n%% fail: ${kind}\n%% say: Whole.`);
    expect(comment).toContain("Whole.");
  });

  it("a config that cannot be used: is said with its line, and the defaults hold", async () => {
    const { ask, repository } = journey();
    const name = await repository({
      "a.txt": "a\n",
      ".github/patchwright.yml": "checks:\n  tset: npm test\n",
    });
    const { comment } = await ask(name, "@patchwright hello\n%% say: Hello.");
    expect(comment).toContain("Hello.");
    expect(comment).toMatch(/line 2.*tset/);
  });
});

describe("the model's provider that is down", () => {
  it("is said, finally, once the waits are over", async () => {
    // Nothing listens on the discard port of the loopback interface.
    const settings = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9", RETRY_SECONDS: "0.02" };
    const world = await startWorld({ settings });
    try {
      const { fullName } = await world.addRepository("down", { "a.txt": "a\n" });
      const ada = personIn(world, "ada");
      const issue = await ada.openIssue(fullName, { title: "Hi", body: "@patchwright hello" });
      expect(await finalComment(world, ada, fullName, issue)).toContain("could not be reached");
    } finally {
      await world.close();
    }
  });
});

describe("a delivery that comes again", () => {
  it("under its own GUID starts nothing", async () => {
    const { ask, ends, repository, said, world } = journey();
    const name = await repository();
    const { issue } = await ask(name, "@patchwright hello\n%% say: Once.");
    const delivery = world.github.deliveries().findLast(({ event }) => event === "issues");
    await world.github.redeliver(delivery?.guid ?? "");
    await world.github.idle();
    expect(world.github.deliveries().find(({ guid }) => guid === delivery?.guid)?.response).toContain(
      "duplicate",
    );
    expect(await ends(name, issue)).toHaveLength(1);
    expect(await said(name, issue)).toHaveLength(1);
  });

  it("replayed under a fresh GUID, which nobody signed, starts nothing", async () => {
    const { ask, ends, repository, world } = journey();
    const name = await repository();
    const { issue } = await ask(name, "@patchwright hello\n%% say: Once.");
    const delivery = world.github.deliveries().findLast(({ event }) => event === "issues");
    const answer = await post(world.worker.url, "issues", JSON.stringify(delivery?.payload), secret());
    expect(answer.status).toBe(202);
    expect(await answer.json()).toEqual({ duplicate: "r1" });
    expect(await ends(name, issue)).toHaveLength(1);
  });

  it("with a signature of another secret is turned away", async () => {
    const answer = await post(journey().world.worker.url, "issues", "{}", "another secret");
    expect(answer.status).toBe(401);
  });

  function secret(): string {
    return journey().world.secrets["GITHUB_WEBHOOK_SECRET"] ?? "";
  }
});

async function post(url: string, event: string, body: string, secret: string): Promise<Response> {
  return fetch(`${url}/webhook`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-github-event": event,
      "x-github-delivery": crypto.randomUUID(),
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    },
    body,
  });
}
