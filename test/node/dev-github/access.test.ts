import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { person, refusal, start } from "./local-github.ts";
import type { Started } from "./local-github.ts";

let started: Started;
let github: LocalGitHub;
const tokens: Record<string, string> = {};
const open = { owner: "acme", repo: "open" };
const closed = { owner: "acme", repo: "closed" };

beforeAll(async () => {
  started = await start();
  github = started.github;
  await github.addRepository({ owner: "acme", name: "open", files: { "a.txt": "a\n" } });
  await github.addRepository({ owner: "acme", name: "closed", private: true, files: { "a.txt": "a\n" } });
  for (const [login, role] of [
    ["adam", "admin"],
    ["max", "maintain"],
    ["ada", "write"],
    ["tri", "triage"],
    ["rob", "read"],
    ["eve", "none"],
  ] as const) {
    tokens[login] = github.addUser(login).token;
    for (const name of ["acme/open", "acme/closed"]) github.setPermission(name, login, role);
  }
});

afterAll(() => started.stop());

const as = (login: string) => person(github, tokens[login]);

describe("people", () => {
  it.each([
    ["adam", "admin", "admin"],
    ["max", "write", "maintain"],
    ["ada", "write", "write"],
    ["tri", "read", "triage"],
    ["rob", "read", "read"],
    ["eve", "none", "none"],
  ])("%s has permission %s and role %s in a private repository", async (username, permission, role) => {
    const { data } = await as("ada").rest.repos.getCollaboratorPermissionLevel({ ...closed, username });
    expect([data.permission, data.role_name]).toEqual([permission, role]);
  });

  it("all read a public repository, and an unknown one is not found", async () => {
    const ask = (username: string) =>
      as("ada").rest.repos.getCollaboratorPermissionLevel({ ...open, username });
    expect((await ask("eve")).data.permission).toBe("read");
    expect(await refusal(ask("nobody"))).toMatchObject({ status: 404 });
  });

  it("without push access may not ask for permissions", async () => {
    const ask = as("rob").rest.repos.getCollaboratorPermissionLevel({ ...closed, username: "ada" });
    expect(await refusal(ask)).toMatchObject({
      status: 403,
      message: "Must have push access to view collaborator permission.",
    });
  });

  it("without access do not learn that a private repository exists", async () => {
    for (const client of [as("eve"), person(github)]) {
      expect(await refusal(client.rest.repos.get(closed))).toMatchObject({
        status: 404,
        message: "Not Found",
      });
      expect(await refusal(client.rest.issues.create({ ...closed, title: "x" }))).toMatchObject({
        status: 404,
      });
    }
  });

  it("may open issues and comment where they may read, and label from triage on", async () => {
    const { data } = await as("rob").rest.issues.create({ ...closed, title: "by a reader", labels: ["bug"] });
    expect(data.labels).toEqual([]);
    const here = { ...closed, issue_number: data.number };
    await as("rob").rest.issues.createComment({ ...here, body: "and a comment" });
    expect(await refusal(as("rob").rest.issues.addLabels({ ...here, labels: ["bug"] }))).toMatchObject({
      status: 403,
    });
    expect((await as("tri").rest.issues.addLabels({ ...here, labels: ["bug"] })).data).toHaveLength(1);
  });

  it("change their own issue and not another's, below triage", async () => {
    const { data } = await as("rob").rest.issues.create({ ...closed, title: "mine" });
    const here = { ...closed, issue_number: data.number };
    await as("rob").rest.issues.update({ ...here, state: "closed" });
    const other = await as("ada").rest.issues.create({ ...closed, title: "not mine" });
    const change = as("rob").rest.issues.update({
      ...closed,
      issue_number: other.data.number,
      title: "taken",
    });
    expect(await refusal(change)).toMatchObject({ status: 403 });
  });

  it("write files from write on and administer as admin only", async () => {
    const put = (login: string) =>
      as(login).rest.repos.createOrUpdateFileContents({
        ...closed,
        path: `${login}.txt`,
        message: "Add",
        content: "eA==",
      });
    expect(await refusal(put("tri"))).toMatchObject({ status: 403 });
    expect((await put("ada")).status).toBe(201);
    expect(await refusal(as("max").rest.repos.update({ ...closed, description: "x" }))).toMatchObject({
      status: 403,
      message: "Must have admin rights to Repository.",
    });
  });
});

describe("anybody", () => {
  it("reads public repositories and must sign in to write", async () => {
    const anybody = person(github);
    expect((await anybody.rest.repos.get(open)).data.permissions).toBeUndefined();
    expect(await refusal(anybody.rest.issues.create({ ...open, title: "x" }))).toMatchObject({
      status: 401,
      message: "Requires authentication",
    });
  });

  it("with a token that is not one is refused everywhere", async () => {
    const stranger = person(github, "ghp_000000000000000000000000000000000000");
    expect(await refusal(stranger.rest.repos.get(open))).toMatchObject({
      status: 401,
      message: "Bad credentials",
    });
  });
});

describe("every answer", () => {
  it("carries GitHub's headers, and a client without a User-Agent gets none", async () => {
    const { headers } = await as("ada").rest.repos.get(open);
    expect(headers["x-github-request-id"]).toMatch(/^[0-9A-F:]+$/);
    expect(headers["x-github-media-type"]).toContain("github.v3");
    expect(headers["x-ratelimit-limit"]).toBe("5000");
    const again = await as("ada").rest.repos.get(open);
    expect(Number(again.headers["x-ratelimit-remaining"])).toBe(Number(headers["x-ratelimit-remaining"]) - 1);
    const bare = await fetch(`${github.apiUrl}/zen`, { headers: { "user-agent": "" } });
    expect(bare.status).toBe(403);
  });

  it("to a GET can be asked for conditionally, at no cost", async () => {
    const first = await as("ada").rest.repos.get(open);
    const response = await fetch(`${github.apiUrl}/repos/acme/open`, {
      headers: { authorization: `token ${tokens["ada"]}`, "if-none-match": first.headers.etag ?? "" },
    });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe("");
    expect(response.headers.get("x-ratelimit-remaining")).toBe(first.headers["x-ratelimit-remaining"]);
  });

  it("to an error says what, where to read and the status", async () => {
    const response = await fetch(`${github.apiUrl}/repos/acme/nowhere`);
    expect(await response.json()).toEqual({
      message: "Not Found",
      documentation_url: "https://docs.github.com/rest",
      status: "404",
    });
  });

  it("to a body that is no JSON or lacks a field says so", async () => {
    const post = (body: string) =>
      fetch(`${github.apiUrl}/repos/acme/open/issues`, {
        method: "POST",
        headers: { authorization: `token ${tokens["ada"]}` },
        body,
      }).then(async (response) => [response.status, Reflect.get(Object(await response.json()), "message")]);
    expect(await post("{")).toEqual([400, "Problems parsing JSON"]);
    expect(await post("{}")).toEqual([422, `Invalid request.\n\n"title" wasn't supplied.`]);
  });
});

describe("repository names", () => {
  it("move by 301 to the id, and the id works for everything", async () => {
    const { id } = await github.addRepository({ owner: "acme", name: "before", files: { "a.txt": "a\n" } });
    github.setPermission("acme/before", "adam", "admin");
    const adam = as("adam");
    await adam.rest.repos.update({ owner: "acme", repo: "before", name: "after" });
    const raw = await fetch(`${github.apiUrl}/repos/acme/before/issues?state=all`, { redirect: "manual" });
    expect(raw.status).toBe(301);
    expect(raw.headers.get("location")).toBe(`${github.apiUrl}/repositories/${id}/issues?state=all`);
    expect(await raw.json()).toMatchObject({
      message: "Moved Permanently",
      url: `${github.apiUrl}/repositories/${id}/issues?state=all`,
    });
    const followed = await adam.rest.repos.get({ owner: "acme", repo: "before" });
    expect(followed.data.full_name).toBe("acme/after");
    const issue = await adam
      .request("POST /repositories/{id}/issues", { id, title: "by id" })
      .catch(() => undefined);
    expect(issue).toBeUndefined();
    expect((await github.state("acme/after")).issues.map((one) => one.title)).toEqual(["by id"]);
  });

  it("do not tell of a private repository that moved", async () => {
    await github.addRepository({ owner: "acme", name: "hidden", private: true, files: {} });
    github.setPermission("acme/hidden", "adam", "admin");
    await as("adam").rest.repos.update({ owner: "acme", repo: "hidden", name: "still-hidden" });
    expect((await fetch(`${github.apiUrl}/repos/acme/hidden`, { redirect: "manual" })).status).toBe(404);
  });

  it("of an archived repository refuse writes until it is restored", async () => {
    await github.addRepository({ owner: "acme", name: "old", files: {} });
    github.setPermission("acme/old", "adam", "admin");
    const old = { owner: "acme", repo: "old" };
    await as("adam").rest.repos.update({ ...old, archived: true });
    expect(await refusal(as("adam").rest.issues.create({ ...old, title: "x" }))).toMatchObject({
      status: 403,
      message: "Repository was archived so is read-only.",
    });
    await as("adam").rest.repos.update({ ...old, archived: false });
    await as("adam").rest.issues.create({ ...old, title: "x" });
  });
});
