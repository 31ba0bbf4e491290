import { execFileSync } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Octokit } from "octokit";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { git, remote } from "./git-client.ts";
import { person, refusal, start } from "./local-github.ts";
import type { Started } from "./local-github.ts";

let started: Started;
let github: LocalGitHub;
let ada: Octokit;
let token: string;
let work: string;
const at = { owner: "ada", repo: "site" };

beforeAll(async () => {
  started = await start();
  github = started.github;
  token = github.addUser("ada").token;
  ada = person(github, token);
  await github.addRepository({
    owner: "ada",
    name: "site",
    private: true,
    files: { "README.md": "# Site\n", "docs/ä b.md": "umlaut\n", "big.txt": "0123456789".repeat(110_000) },
  });
  work = await mkdtemp(join(tmpdir(), "contents-"));
  await git(work, "clone", "-q", remote(github.url, "ada/site", token), ".");
  await symlink("README.md", join(work, "link-inside"));
  await symlink("/etc/passwd", join(work, "link-outside"));
  await writeFile(join(work, "new.txt"), "one\n");
  await git(work, "add", ".");
  await git(work, "commit", "-qm", "Links");
  await git(work, "push", "-q", "origin", "HEAD:main");
});

afterAll(async () => {
  await started.stop();
  await rm(work, { recursive: true, force: true });
});

describe("files", () => {
  it("come with their content up to 1 MB, and raw above", async () => {
    const small = await ada.rest.repos.getContent({ ...at, path: "README.md" });
    expect(small.data).toMatchObject({
      type: "file",
      encoding: "base64",
      content: "IyBTaXRlCg==\n",
      size: 7,
    });
    const big = await ada.rest.repos.getContent({ ...at, path: "big.txt" });
    expect(big.data).toMatchObject({ encoding: "none", content: "", size: 1_100_000 });
    const raw = await ada.rest.repos.getContent({ ...at, path: "big.txt", mediaType: { format: "raw" } });
    expect(String(raw.data)).toHaveLength(1_100_000);
  });

  it("are named by any path, encoded or not", async () => {
    const { data } = await ada.rest.repos.getContent({ ...at, path: "docs/ä b.md" });
    expect(data).toMatchObject({ path: "docs/ä b.md", name: "ä b.md" });
    const plain = await fetch(`${github.apiUrl}/repos/ada/site/contents/docs/%C3%A4%20b.md`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(plain.status).toBe(200);
  });

  it("that are links inside the repository are the file they point to; others stay links", async () => {
    const inside = await ada.rest.repos.getContent({ ...at, path: "link-inside" });
    expect(inside.data).toMatchObject({ type: "file", content: "IyBTaXRlCg==\n" });
    const outside = await ada.rest.repos.getContent({ ...at, path: "link-outside" });
    expect(outside.data).toMatchObject({ type: "symlink", target: "/etc/passwd" });
  });

  it("and folders that do not exist, or refs, are not found", async () => {
    expect(await refusal(ada.rest.repos.getContent({ ...at, path: "nope" }))).toMatchObject({
      message: "Not Found",
    });
    expect(await refusal(ada.rest.repos.getContent({ ...at, path: "README.md", ref: "nope" }))).toMatchObject(
      {
        status: 404,
        message: "No commit found for the ref nope",
      },
    );
  });

  it("are changed only by who knows their present blob", async () => {
    const change = { ...at, path: "new.txt", message: "Change", content: "dHdvCg==" };
    expect(await refusal(ada.rest.repos.createOrUpdateFileContents(change))).toMatchObject({ status: 422 });
    const stale = ada.rest.repos.createOrUpdateFileContents({ ...change, sha: "1".repeat(40) });
    expect(await refusal(stale)).toMatchObject({ status: 409 });
    const { data } = await ada.rest.repos.getContent({ ...at, path: "new.txt" });
    const sha = Array.isArray(data) ? "" : data.sha;
    await ada.rest.repos.createOrUpdateFileContents({ ...change, sha });
    const now = await ada.rest.repos.getContent({ ...at, path: "new.txt" });
    expect(now.data).toMatchObject({ content: "dHdvCg==\n" });
    const removed = await ada.rest.repos.deleteFile({
      ...at,
      path: "new.txt",
      message: "Remove",
      sha: Array.isArray(now.data) ? "" : now.data.sha,
    });
    expect(removed.data.commit.message).toBe("Remove");
  });
});

describe("folders", () => {
  it("list what is in them", async () => {
    const { data } = await ada.rest.repos.getContent({ ...at, path: "" });
    const entries = Array.isArray(data) ? data.map((entry) => `${entry.type} ${entry.name}`) : [];
    expect(entries).toEqual(expect.arrayContaining(["file README.md", "dir docs", "symlink link-inside"]));
  });
});

describe("archives", () => {
  it("are downloaded from a signed link that needs no credential", async () => {
    const redirect = await fetch(`${github.apiUrl}/repos/ada/site/tarball/main`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
    });
    expect(redirect.status).toBe(302);
    const link = redirect.headers.get("location") ?? "";
    const archive = await fetch(link);
    expect(archive.headers.get("content-disposition")).toMatch(
      /^attachment; filename=ada-site-[0-9a-f]{7}\.tar\.gz$/,
    );
    const names = execFileSync("tar", ["-tz"], { input: Buffer.from(await archive.arrayBuffer()) }).toString(
      "utf8",
    );
    expect(names).toMatch(/^ada-site-[0-9a-f]{7}\/README\.md$/m);
    expect((await fetch(link.replace("/main?", "/other?"))).status).toBe(404);
    expect((await fetch(link.replace(/signature=.*/, "signature=0"))).status).toBe(404);
  });
});

describe("commits", () => {
  it("are listed newest first, by path and by page", async () => {
    const { data } = await ada.rest.repos.listCommits({ ...at, path: "link-inside" });
    expect(data.map((commit) => commit.commit.message)).toEqual(["Links"]);
    const first = await ada.rest.repos.listCommits({ ...at, per_page: 1 });
    expect(first.headers.link).toContain('rel="next"');
  });

  it("come as JSON, diff, patch and bare id", async () => {
    const get = (format: string) => ada.rest.repos.getCommit({ ...at, ref: "main~0", mediaType: { format } });
    expect(await refusal(get("json"))).toMatchObject({
      status: 422,
      message: "No commit found for SHA: main~0",
    });
    const { data } = await ada.rest.repos.getCommit({ ...at, ref: "main" });
    const as = async (format: string) =>
      String((await ada.rest.repos.getCommit({ ...at, ref: "main", mediaType: { format } })).data);
    expect(await as("sha")).toBe(data.sha);
    expect(await as("diff")).toMatch(/^diff --git /);
    expect(await as("patch")).toMatch(/^From [0-9a-f]{40} /);
  });

  it("are compared across branches", async () => {
    const { data: ref } = await ada.rest.git.getRef({ ...at, ref: "heads/main" });
    await ada.rest.git.createRef({ ...at, ref: "refs/heads/topic/x", sha: ref.object.sha });
    const put = { ...at, branch: "topic/x", path: "topic.txt", message: "Topic", content: "eAo=" };
    await ada.rest.repos.createOrUpdateFileContents(put);
    const { data } = await ada.rest.repos.compareCommitsWithBasehead({ ...at, basehead: "main...topic/x" });
    expect([data.status, data.ahead_by, data.behind_by]).toEqual(["ahead", 1, 0]);
    expect(data.files?.map((file) => [file.filename, file.status, file.patch])).toEqual([
      ["topic.txt", "added", "@@ -0,0 +1 @@\n+x"],
    ]);
    const back = await ada.rest.repos.compareCommitsWithBasehead({ ...at, basehead: "topic/x...main" });
    expect(back.data.status).toBe("behind");
  });
});
