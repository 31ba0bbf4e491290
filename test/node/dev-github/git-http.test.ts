import { gzipSync } from "node:zlib";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Octokit } from "octokit";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { git, remote } from "./git-client.ts";
import { app, person, start } from "./local-github.ts";
import type { Started } from "./local-github.ts";

let started: Started;
let github: LocalGitHub;
let folder: string;
let installationId: number;
let ada: Octokit;
const tokens: Record<string, string> = {};
const at = { owner: "acme", repo: "closed" };

beforeAll(async () => {
  started = await start();
  github = started.github;
  folder = await mkdtemp(join(tmpdir(), "git-http-"));
  await github.addRepository({ owner: "acme", name: "open", files: { "a.txt": "a\n" } });
  await github.addRepository({ owner: "acme", name: "closed", private: true, files: { "a.txt": "a\n" } });
  await github.addRepository({ owner: "acme", name: "empty", private: true });
  for (const [login, role] of [
    ["ada", "write"],
    ["rob", "read"],
    ["eve", "none"],
  ] as const) {
    tokens[login] = github.addUser(login).token;
    for (const name of ["open", "closed", "empty"]) github.setPermission(`acme/${name}`, login, role);
  }
  ada = person(github, tokens["ada"]);
  installationId = github.install(["acme/closed"]).installationId;
});

afterAll(async () => {
  await started.stop();
  await rm(folder, { recursive: true, force: true });
});

let count = 0;
async function clone(path: string, token?: string, ...options: string[]) {
  count += 1;
  const into = join(folder, `clone-${count}`);
  const outcome = await git(folder, "clone", "-q", ...options, remote(github.url, path, token), into);
  return { ...outcome, into };
}

async function commitIn(dir: string, path: string, text = "text\n"): Promise<string> {
  await mkdir(join(dir, path, ".."), { recursive: true });
  await writeFile(join(dir, path), text);
  await git(dir, "add", ".");
  await git(dir, "commit", "-qm", `Write ${path}`);
  return (await git(dir, "rev-parse", "HEAD")).out;
}

async function mint(
  permissions: Record<string, "read" | "write">,
  repositories = ["closed"],
): Promise<string> {
  const { data } = await app(github).octokit.rest.apps.createInstallationAccessToken({
    installation_id: installationId,
    repositories,
    permissions,
  });
  return data.token;
}

describe("cloning", () => {
  it("a public repository needs nobody, a private one a token that may read it", async () => {
    expect((await clone("acme/open")).ok).toBe(true);
    expect((await clone("acme/closed")).ok).toBe(false);
    expect((await clone("acme/closed", tokens["rob"])).ok).toBe(true);
    expect((await clone("acme/closed", tokens["eve"])).err).toContain("not found");
    expect((await clone("acme/closed", await mint({ contents: "read" }))).ok).toBe(true);
    expect((await clone("acme/closed", await mint({ issues: "write" }))).ok).toBe(false);
    expect((await clone("acme/closed", "ghs_wrong")).ok).toBe(false);
  });

  it("takes a Bearer token as well", async () => {
    const header = `http.extraHeader=Authorization: Bearer ${await mint({ contents: "read" })}`;
    expect((await clone("acme/closed", undefined, "-c", header)).ok).toBe(true);
  });

  it("works shallow, without blobs, and of a single commit by its id, also an unreferenced one", async () => {
    const { into } = await clone("acme/closed", tokens["ada"], "--depth", "1", "--filter=blob:none");
    const { data: ref } = await ada.rest.git.getRef({ ...at, ref: "heads/main" });
    const { data: base } = await ada.rest.git.getCommit({ ...at, commit_sha: ref.object.sha });
    const { data: loose } = await ada.rest.git.createCommit({
      ...at,
      message: "On no branch",
      tree: base.tree.sha,
      parents: [ref.object.sha],
    });
    expect((await git(into, "fetch", "-q", "--depth", "1", "origin", loose.sha)).ok).toBe(true);
    expect((await git(into, "rev-parse", "FETCH_HEAD")).out).toBe(loose.sha);
  });

  it("speaks protocol 2 and takes a gzipped request", async () => {
    const headers = { authorization: `Bearer ${tokens["ada"]}`, "git-protocol": "version=2" };
    const refs = await fetch(`${github.url}/acme/closed.git/info/refs?service=git-upload-pack`, { headers });
    expect(await refs.text()).toContain("version 2");
    const answer = await fetch(`${github.url}/acme/closed.git/git-upload-pack`, {
      method: "POST",
      headers: {
        ...headers,
        "content-type": "application/x-git-upload-pack-request",
        "content-encoding": "gzip",
      },
      body: gzipSync("0014command=ls-refs\n0000"),
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("refs/heads/main");
  });
});

describe("pushing", () => {
  it("needs write", async () => {
    const { into } = await clone("acme/closed", tokens["rob"]);
    await commitIn(into, "rob.txt");
    const outcome = await git(into, "push", "origin", "HEAD:refs/heads/rob");
    expect(outcome.err).toContain("403");
    const publicly = await clone("acme/open");
    await commitIn(publicly.into, "x.txt");
    expect((await git(publicly.into, "push", "origin", "HEAD:refs/heads/x")).ok).toBe(false);
  });

  it("is seen by the API at once", async () => {
    const { into } = await clone("acme/closed", tokens["ada"]);
    const sha = await commitIn(into, "pushed.txt");
    expect((await git(into, "push", "-q", "origin", "HEAD:refs/heads/pushed")).ok).toBe(true);
    expect((await ada.rest.git.getRef({ ...at, ref: "heads/pushed" })).data.object.sha).toBe(sha);
    const { data } = await ada.rest.pulls.create({ ...at, head: "pushed", base: "main", title: "Pushed" });
    const next = await commitIn(into, "pushed-too.txt");
    await git(into, "push", "-q", "origin", "HEAD:refs/heads/pushed");
    expect((await ada.rest.pulls.get({ ...at, pull_number: data.number })).data.head.sha).toBe(next);
    await git(into, "fetch", "-q", "origin", `refs/pull/${data.number}/head`);
    expect((await git(into, "rev-parse", "FETCH_HEAD")).out).toBe(next);
  });

  it("to a pull request's own ref is refused", async () => {
    const { into } = await clone("acme/closed", tokens["ada"]);
    await commitIn(into, "hidden.txt");
    const outcome = await git(into, "push", "origin", "HEAD:refs/pull/1/head");
    expect(outcome.err).toContain("deny updating a hidden ref");
  });

  it("fills an empty repository", async () => {
    const { into } = await clone("acme/empty", tokens["ada"]);
    const sha = await commitIn(into, "first.txt");
    expect((await git(into, "push", "-q", "origin", "HEAD:main")).ok).toBe(true);
    const { data } = await ada.rest.repos.listCommits({ owner: "acme", repo: "empty" });
    expect(data.map((commit) => commit.sha)).toEqual([sha]);
  });

  it("by an App needs contents:write, and workflows for workflows", async () => {
    const reader = await clone("acme/closed", await mint({ contents: "read" }));
    await commitIn(reader.into, "app.txt");
    const denied = await git(reader.into, "push", "origin", "HEAD:refs/heads/app");
    expect(denied.err).toContain("403");
    const writer = await clone("acme/closed", await mint({ contents: "write" }));
    await commitIn(writer.into, "app.txt");
    expect((await git(writer.into, "push", "-q", "origin", "HEAD:refs/heads/app")).ok).toBe(true);
    await commitIn(writer.into, ".github/workflows/ci.yml", "on: push\n");
    const refused = await git(writer.into, "push", "origin", "HEAD:refs/heads/app");
    expect(refused.err).toContain(
      "refusing to allow a GitHub App to create or update workflow `.github/workflows/ci.yml` without `workflows` permission",
    );
  });

  it("is written down in the audit with its actor", async () => {
    const entry = github.audit.entries.find(
      (one) => one.path.endsWith("git-receive-pack") && one.status === 200,
    );
    expect(entry?.actor).toMatchObject({ kind: "user", login: "ada" });
  });
});
