import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Octokit } from "octokit";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { app, person, refusal, start } from "./local-github.ts";
import type { Started } from "./local-github.ts";

let started: Started;
let github: LocalGitHub;
let ada: Octokit;
let bot: Octokit;
/** Milliseconds the server's clock is ahead of ours; a test moves it so that two acts have different times. */
let ahead = 0;
const at = { owner: "ada", repo: "notes" };

beforeAll(async () => {
  started = await start({ now: () => Date.now() + ahead });
  github = started.github;
  ada = person(github, github.addUser("ada").token);
  await github.addRepository({ owner: "ada", name: "notes", private: true, files: { "a.txt": "a\n" } });
  const { installationId } = github.install(["ada/notes"]);
  bot = await app(github).getInstallationOctokit(installationId);
});

afterAll(() => started.stop());

async function thread(title: string) {
  const { data } = await ada.rest.issues.create({ ...at, title, body: "text" });
  return { ...at, issue_number: data.number };
}

describe("comments", () => {
  it("tell whether an App wrote them", async () => {
    const here = await thread("who");
    const human = await ada.rest.issues.createComment({ ...here, body: "a person" });
    const machine = await bot.rest.issues.createComment({ ...here, body: "a bot" });
    expect(human.data.performed_via_github_app).toBeNull();
    expect(human.data.author_association).toBe("OWNER");
    expect(machine.data.performed_via_github_app?.slug).toBe("patchwright");
    expect(machine.data.user?.login).toBe("patchwright[bot]");
    expect(machine.data.user?.type).toBe("Bot");
    expect(machine.data.html_url).toBe(
      `${github.url}/ada/notes/issues/${here.issue_number}#issuecomment-${machine.data.id}`,
    );
  });

  it("come in pages, oldest first, with links to follow", async () => {
    const here = await thread("pages");
    for (let count = 1; count <= 35; count += 1) {
      await bot.rest.issues.createComment({ ...here, body: `comment ${count}` });
    }
    const first = await ada.rest.issues.listComments(here);
    expect(first.data).toHaveLength(30);
    expect(first.headers.link).toMatch(/page=2>; rel="next", .*page=2>; rel="last"/);
    const all = await ada.paginate(ada.rest.issues.listComments, { ...here, per_page: 10 });
    expect(all.map((comment) => comment.body)).toEqual(
      Array.from({ length: 35 }, (_, index) => `comment ${index + 1}`),
    );
    const last = await ada.rest.issues.listComments({ ...here, per_page: 10, page: 4 });
    expect(last.headers.link).not.toContain('rel="next"');
  });

  it("can be listed since a time", async () => {
    const here = await thread("since");
    await ada.rest.issues.createComment({ ...here, body: "early" });
    ahead += 60_000;
    const since = new Date(Date.now() + ahead - 1_000).toISOString();
    await ada.rest.issues.createComment({ ...here, body: "late" });
    const { data } = await ada.rest.issues.listComments({ ...here, since });
    expect(data.map((comment) => comment.body)).toEqual(["late"]);
  });

  it("move updated_at when edited, and are gone when deleted", async () => {
    const here = await thread("edit");
    const { data: made } = await bot.rest.issues.createComment({ ...here, body: "one" });
    ahead += 5_000;
    const { data: edited } = await bot.rest.issues.updateComment({ ...at, comment_id: made.id, body: "two" });
    expect(edited.created_at).toBe(made.created_at);
    expect(edited.updated_at).not.toBe(made.updated_at);
    await bot.rest.issues.deleteComment({ ...at, comment_id: made.id });
    expect(await refusal(bot.rest.issues.getComment({ ...at, comment_id: made.id }))).toMatchObject({
      status: 404,
    });
  });

  it("hold 65,536 characters and not one more", async () => {
    const here = await thread("long");
    await bot.rest.issues.createComment({ ...here, body: "x".repeat(65_536) });
    expect(await refusal(bot.rest.issues.createComment({ ...here, body: "x".repeat(65_537) }))).toEqual({
      status: 422,
      message: "Validation Failed",
      errors: [
        {
          resource: "IssueComment",
          code: "unprocessable",
          field: "data",
          message: "Body is too long (maximum is 65536 characters)",
        },
      ],
    });
  });

  it("of a locked thread are for those who can write", async () => {
    const here = await thread("locked");
    const rob = person(github, github.addUser("rob").token);
    github.setPermission("ada/notes", "rob", "read");
    await ada.rest.issues.lock(here);
    expect(await refusal(rob.rest.issues.createComment({ ...here, body: "x" }))).toMatchObject({
      status: 403,
      message: "Unable to create comment because issue is locked.",
    });
    await ada.rest.issues.createComment({ ...here, body: "x" });
  });
});

describe("timelines", () => {
  it("show events and comments in the order they happened", async () => {
    const here = await thread("timeline");
    await ada.rest.issues.addLabels({ ...here, labels: ["bug"] });
    ahead += 1_000;
    await bot.rest.issues.createComment({ ...here, body: "seen" });
    ahead += 1_000;
    await ada.rest.issues.update({ ...here, state: "closed" });
    const { data } = await ada.rest.issues.listEventsForTimeline(here);
    expect(data.map((entry) => entry.event)).toEqual(["labeled", "commented", "closed"]);
  });
});

describe("reactions", () => {
  it("are new once: 201, and 200 when asked for again", async () => {
    const here = await thread("react");
    const first = await bot.rest.reactions.createForIssue({ ...here, content: "eyes" });
    const second = await bot.rest.reactions.createForIssue({ ...here, content: "eyes" });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.data.id).toBe(first.data.id);
    const { data } = await ada.rest.issues.get(here);
    expect(data.reactions).toMatchObject({ total_count: 1, eyes: 1, "+1": 0 });
    await bot.rest.reactions.deleteForIssue({ ...here, reaction_id: first.data.id });
    expect((await ada.rest.reactions.listForIssue(here)).data).toEqual([]);
  });

  it("of other people are not ours to take away", async () => {
    const here = await thread("theirs");
    const { data } = await ada.rest.reactions.createForIssue({ ...here, content: "heart" });
    expect(await refusal(bot.rest.reactions.deleteForIssue({ ...here, reaction_id: data.id }))).toMatchObject(
      {
        status: 403,
      },
    );
  });
});

describe("labels", () => {
  it("are added once, made when unknown, and removed by name", async () => {
    const here = await thread("labels");
    await ada.rest.issues.addLabels({ ...here, labels: ["bug", "fresh one"] });
    const { data } = await ada.rest.issues.addLabels({ ...here, labels: ["BUG"] });
    expect(data.map((label) => label.name)).toEqual(["bug", "fresh one"]);
    expect(data[1]?.color).toBe("ededed");
    await ada.rest.issues.removeLabel({ ...here, name: "fresh one" });
    expect(await refusal(ada.rest.issues.removeLabel({ ...here, name: "fresh one" }))).toMatchObject({
      status: 404,
      message: "Label does not exist",
    });
    expect((await github.state("ada/notes")).issues.at(-1)?.labels).toEqual(["bug"]);
  });

  it("cannot be made twice", async () => {
    expect(await refusal(ada.rest.issues.createLabel({ ...at, name: "Bug" }))).toMatchObject({
      status: 422,
      errors: [{ resource: "Label", code: "already_exists", field: "name" }],
    });
  });
});

describe("issues", () => {
  it("are closed with a reason and reopened", async () => {
    const here = await thread("close");
    const closed = await ada.rest.issues.update({ ...here, state: "closed", state_reason: "not_planned" });
    expect([closed.data.state, closed.data.state_reason]).toEqual(["closed", "not_planned"]);
    expect(closed.data.closed_by?.login).toBe("ada");
    const open = await ada.rest.issues.update({ ...here, state: "open" });
    expect([open.data.state, open.data.closed_at]).toEqual(["open", null]);
    const { data: events } = await ada.rest.issues.listEvents(here);
    expect(events.map((event) => event.event)).toEqual(["closed", "reopened"]);
  });

  it("are listed open by default, and by label", async () => {
    const here = await thread("listed");
    await ada.rest.issues.addLabels({ ...here, labels: ["question"] });
    const { data } = await ada.rest.issues.listForRepo({ ...at, labels: "question" });
    expect(data.map((issue) => issue.number)).toEqual([here.issue_number]);
    await ada.rest.issues.update({ ...here, state: "closed" });
    expect((await ada.rest.issues.listForRepo({ ...at, labels: "question" })).data).toEqual([]);
    expect(
      (await ada.rest.issues.listForRepo({ ...at, labels: "question", state: "all" })).data,
    ).toHaveLength(1);
  });

  it("need a title", async () => {
    expect(await refusal(ada.rest.issues.create({ ...at, title: " " }))).toMatchObject({
      status: 422,
      errors: [{ resource: "Issue", code: "missing_field", field: "title" }],
    });
  });

  it("are found by search", async () => {
    const here = await thread("a needle in the list");
    const q = `repo:ada/notes is:issue is:open needle author:ada`;
    const { data } = await bot.rest.search.issuesAndPullRequests({ q });
    expect(data.items.map((item) => item.number)).toEqual([here.issue_number]);
  });
});
