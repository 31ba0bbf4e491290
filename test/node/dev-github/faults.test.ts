import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Octokit } from "octokit";
import type { Fault, LocalGitHub } from "../../../dev/github/start.ts";
import { person, refusal, start } from "./local-github.ts";
import type { Started } from "./local-github.ts";

let started: Started;
let github: LocalGitHub;
let ada: Octokit;
/** Milliseconds the server's clock is ahead of ours. */
let ahead = 0;
const at = { owner: "ada", repo: "notes" };
const comments = { method: "POST", path: /\/issues\/\d+\/comments$/ };

beforeAll(async () => {
  started = await start({ now: () => Date.now() + ahead });
  github = started.github;
  ada = person(github, github.addUser("ada").token);
  await github.addRepository({ owner: "ada", name: "notes", files: { "a.txt": "a\n" } });
  await ada.rest.issues.create({ ...at, title: "One" });
});

afterEach(() => github.faults.clear());
afterAll(() => started.stop());

const say = (body: string) => ada.rest.issues.createComment({ ...at, issue_number: 1, body });
const listed = async () =>
  (await ada.rest.issues.listComments({ ...at, issue_number: 1, per_page: 100 })).data.map((one) => one.body);

describe("faults", () => {
  it("answer a status with nothing applied, as often as asked", async () => {
    github.faults.add({ match: comments, times: 2, kind: { kind: "status", status: 502 } });
    expect(await refusal(say("refused"))).toMatchObject({ status: 502 });
    expect(await refusal(say("refused"))).toMatchObject({ status: 502 });
    await say("third time");
    expect(await listed()).not.toContain("refused");
    expect(await listed()).toContain("third time");
  });

  it("lose the answer to what was applied", async () => {
    github.faults.add({ match: comments, times: 1, kind: { kind: "lost" } });
    // octokit words a broken connection as a 500 of its own.
    expect(await refusal(say("lost"))).toMatchObject({ status: 500 });
    expect(await listed()).toContain("lost");
    const entry = github.audit.entries.findLast((one) => one.method === "POST");
    expect(entry).toMatchObject({
      status: 201,
      lost: true,
      created: { kind: "comment" },
      body: { body: "lost" },
    });
  });

  it("answer 502 to what was applied", async () => {
    github.faults.add({ match: comments, times: 1, kind: { kind: "lost-status", status: 502 } });
    expect(await refusal(say("applied"))).toMatchObject({ status: 502 });
    expect(await listed()).toContain("applied");
  });

  it("keep what was written out of lists for a while, and not out of reach by id", async () => {
    github.faults.add({ match: comments, kind: { kind: "lag", ms: 5_000 } });
    const { data } = await say("late");
    expect(await listed()).not.toContain("late");
    expect((await ada.rest.issues.getComment({ ...at, comment_id: data.id })).data.body).toBe("late");
    ahead += 5_000;
    expect(await listed()).toContain("late");
  });

  it("limit by the hour and by the minute, in GitHub's headers", async () => {
    const said = async (kind: Fault["kind"]) => {
      github.faults.add({ match: {}, times: 1, kind });
      const response = await fetch(`${github.apiUrl}/repos/ada/notes`);
      return [response.status, response.headers, JSON.stringify(await response.json())] as const;
    };
    const [primary, primaryHeaders, primaryText] = await said({ kind: "primary-limit" });
    expect([primary, primaryHeaders.get("x-ratelimit-remaining")]).toEqual([403, "0"]);
    expect(Number(primaryHeaders.get("x-ratelimit-reset")) * 1000).toBeGreaterThan(Date.now() + ahead);
    expect(primaryText).toContain("API rate limit exceeded");
    const [secondary, secondaryHeaders, secondaryText] = await said({
      kind: "secondary-limit",
      retryAfter: 7,
    });
    expect([secondary, secondaryHeaders.get("retry-after")]).toEqual([403, "7"]);
    expect(secondaryText).toContain("secondary rate limit");
  });

  it("delay", async () => {
    github.faults.add({ match: { path: /\/zen$/ }, kind: { kind: "delay", ms: 80 } });
    const order: string[] = [];
    await Promise.all([
      fetch(`${github.apiUrl}/zen`).then(() => order.push("delayed")),
      fetch(`${github.apiUrl}/meta`).then(() => order.push("prompt")),
    ]);
    expect(order).toEqual(["prompt", "delayed"]);
  });

  it("are added and taken back by other processes too", async () => {
    const post = (body: object) =>
      fetch(`${github.url}/_world/faults`, { method: "POST", body: JSON.stringify(body) });
    const fault = { match: { method: "POST", path: "/comments$" }, kind: { kind: "status", status: 503 } };
    expect((await post(fault)).status).toBe(204);
    expect(await refusal(say("no"))).toMatchObject({ status: 503 });
    await fetch(`${github.url}/_world/faults`, { method: "DELETE" });
    await say("yes");
    expect((await post({ kind: { kind: "unheard of" } })).status).toBe(422);
  });
});

describe("the audit", () => {
  it("names who asked for what, and what a write made", async () => {
    github.audit.clear();
    const { data } = await say("audited");
    await fetch(`${github.apiUrl}/repos/ada/notes/issues?state=all`);
    expect(github.audit.entries).toMatchObject([
      {
        actor: { kind: "user", login: "ada" },
        method: "POST",
        path: "/repos/ada/notes/issues/1/comments",
        status: 201,
        created: { kind: "comment", id: data.id },
        body: { body: "audited" },
      },
      {
        actor: { kind: "anonymous" },
        method: "GET",
        path: "/repos/ada/notes/issues",
        query: "state=all",
        status: 200,
      },
    ]);
  });

  it("is read by other processes, with deliveries and state", async () => {
    const read = async (path: string): Promise<unknown> =>
      (await fetch(`${github.url}/_world/${path}`)).json();
    expect(await read("audit")).toEqual(JSON.parse(JSON.stringify(github.audit.entries)));
    expect(await read("state/ada/notes")).toEqual(
      JSON.parse(JSON.stringify(await github.state("ada/notes"))),
    );
    expect(await read("deliveries")).toEqual([]);
  });
});

describe("pages", () => {
  it("show a thread, with everything people wrote escaped", async () => {
    await say(`<script>alert("x")</script>`);
    const response = await fetch(`${github.url}/ada/notes/issues/1`);
    const html = await response.text();
    expect(response.headers.get("content-type")).toContain("text/html");
    expect(html).toContain("One");
    expect(html).not.toContain("<script>");
    expect(html).toContain("&#60;script&#62;");
  });

  it("give a file's bytes, a commit's diff", async () => {
    const { data } = await ada.rest.repos.getContent({ ...at, path: "a.txt" });
    const url = Array.isArray(data) ? "" : (data.download_url ?? "");
    expect(await (await fetch(url)).text()).toBe("a\n");
    const { data: commits } = await ada.rest.repos.listCommits(at);
    expect(await (await fetch(commits[0]?.html_url ?? "")).text()).toContain("+++ b/a.txt");
    expect((await fetch(`${github.url}/ada/notes/raw/main/nope`)).status).toBe(404);
  });

  it("are 404 for what is not there or is private", async () => {
    await github.addRepository({ owner: "ada", name: "secret", private: true, files: {} });
    await ada.rest.issues.create({ owner: "ada", repo: "secret", title: "Hidden" });
    for (const path of [
      "ada/notes/issues/999",
      "ada/notes/pull/1",
      "ada/secret/issues/1",
      "nobody/nothing",
    ]) {
      expect((await fetch(`${github.url}/${path}`)).status).toBe(404);
    }
  });
});
