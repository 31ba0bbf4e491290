import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Octokit } from "octokit";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { person, refusal, start } from "./local-github.ts";
import type { Started } from "./local-github.ts";
import { lines, openPull, write as writeFile } from "./pull-requests.ts";

let started: Started;
let github: LocalGitHub;
let ada: Octokit;
let rob: Octokit;
const at = { owner: "acme", repo: "widgets" };

beforeAll(async () => {
  started = await start();
  github = started.github;
  ada = person(github, github.addUser("ada").token);
  rob = person(github, github.addUser("rob").token);
  await github.addRepository({
    owner: "acme",
    name: "widgets",
    private: true,
    files: { "a.txt": lines(40) },
  });
  github.setPermission("acme/widgets", "ada", "write");
  github.setPermission("acme/widgets", "rob", "read");
});

afterAll(() => started.stop());

const write = (branch: string, path: string, text: string) => writeFile(ada, at, branch, path, text);
const pull = (name: string, path?: string, text?: string) => openPull(ada, at, name, path, text);

describe("opening", () => {
  it("measures what would be merged", async () => {
    const { data, here, sha } = await pull("measure");
    expect(data).toMatchObject({ commits: 1, additions: 1, deletions: 0, changed_files: 1, mergeable: null });
    expect(data.head).toMatchObject({ label: "acme:measure", ref: "measure", sha });
    const read = await ada.rest.pulls.get(here);
    expect(read.data).toMatchObject({ mergeable: true, mergeable_state: "clean" });
    expect((await github.state("acme/widgets")).refs[`refs/pull/${data.number}/head`]).toBe(sha);
  });

  it("twice for one branch is refused, and the first can be found by head", async () => {
    const { data } = await pull("twice");
    const again = ada.rest.pulls.create({ ...at, head: "acme:twice", base: "main", title: "Again" });
    expect(await refusal(again)).toEqual({
      status: 422,
      message: "Validation Failed",
      errors: [
        { resource: "PullRequest", code: "custom", message: "A pull request already exists for acme:twice." },
      ],
    });
    const found = await ada.rest.pulls.list({ ...at, head: "acme:twice", base: "main", state: "all" });
    expect(found.data.map((one) => one.number)).toEqual([data.number]);
  });

  it("without commits, or from nowhere, is refused", async () => {
    const { data: main } = await ada.rest.git.getRef({ ...at, ref: "heads/main" });
    await ada.rest.git.createRef({ ...at, ref: "refs/heads/same", sha: main.object.sha });
    const open = (head: string, base: string) =>
      refusal(ada.rest.pulls.create({ ...at, head, base, title: "x" }));
    expect(await open("same", "main")).toMatchObject({
      errors: [{ code: "custom", message: "No commits between main and same" }],
    });
    expect(await open("nowhere", "main")).toMatchObject({
      errors: [{ resource: "PullRequest", field: "head", code: "invalid" }],
    });
    expect(await open("same", "nowhere")).toMatchObject({ errors: [{ field: "base", code: "invalid" }] });
  });
});

describe("a fork", () => {
  it("opens pull requests here, whose head can be fetched here", async () => {
    const { data: fork } = await rob.rest.repos.createFork(at);
    expect([fork.full_name, fork.fork, fork.parent?.full_name]).toEqual([
      "rob/widgets",
      true,
      "acme/widgets",
    ]);
    const mine = { owner: "rob", repo: "widgets" };
    const { data: main } = await rob.rest.git.getRef({ ...mine, ref: "heads/main" });
    await rob.rest.git.createRef({ ...mine, ref: "refs/heads/idea", sha: main.object.sha });
    const sha = await writeFile(rob, mine, "idea", "idea.txt", "an idea\n");
    const { data } = await rob.rest.pulls.create({ ...at, head: "rob:idea", base: "main", title: "An idea" });
    expect(data.head).toMatchObject({
      label: "rob:idea",
      sha,
      repo: { full_name: "rob/widgets", fork: true },
    });
    expect((await github.state("acme/widgets")).refs[`refs/pull/${data.number}/head`]).toBe(sha);
    const here = { ...at, pull_number: data.number };
    expect((await ada.rest.pulls.listFiles(here)).data.map((file) => file.filename)).toEqual(["idea.txt"]);
    const next = await writeFile(rob, mine, "idea", "idea-2.txt", "another\n");
    expect((await ada.rest.pulls.get(here)).data).toMatchObject({ commits: 2, head: { sha: next } });
    expect((await ada.rest.pulls.merge(here)).data.merged).toBe(true);
  });
});

describe("a branch that moves", () => {
  it("brings its pull request along", async () => {
    const { here } = await pull("moves");
    const sha = await write("moves", "more.txt", "more\n");
    const { data } = await ada.rest.pulls.get(here);
    expect(data.head.sha).toBe(sha);
    expect([data.commits, data.changed_files]).toEqual([2, 2]);
    expect((await ada.rest.pulls.listCommits(here)).data).toHaveLength(2);
  });

  it("and is deleted closes it, for good until it is back", async () => {
    const { here, sha } = await pull("deleted");
    await ada.rest.git.deleteRef({ ...at, ref: "heads/deleted" });
    expect((await ada.rest.pulls.get(here)).data.state).toBe("closed");
    expect(await refusal(ada.rest.pulls.update({ ...here, state: "open" }))).toMatchObject({ status: 422 });
    await ada.rest.git.createRef({ ...at, ref: "refs/heads/deleted", sha });
    expect((await ada.rest.pulls.update({ ...here, state: "open" })).data.state).toBe("open");
  });
});

describe("merging", () => {
  it.each(["merge", "squash", "rebase"] as const)(
    "by %s makes the commits that way makes",
    async (method) => {
      const { here } = await pull(`by-${method}`);
      await write(`by-${method}`, `${method}-2.txt`, "two\n");
      await write("main", `${method}-base.txt`, "base moved on\n");
      const { data } = await ada.rest.pulls.merge({ ...here, merge_method: method });
      expect(data.merged).toBe(true);
      const { data: commit } = await ada.rest.repos.getCommit({ ...at, ref: data.sha });
      const expected = {
        merge: [2, `Merge pull request #${here.pull_number} from acme/by-merge\n\nFrom by-merge`],
        squash: [1, `From by-squash (#${here.pull_number})`],
        rebase: [1, "Write rebase-2.txt"],
      };
      expect([commit.parents.length, commit.commit.message]).toEqual(expected[method]);
      const { data: after } = await ada.rest.pulls.get(here);
      expect(after).toMatchObject({ state: "closed", merged: true, merge_commit_sha: data.sha });
      expect(after.merged_by?.login).toBe("ada");
      for (const path of [`by-${method}.txt`, `${method}-2.txt`, `${method}-base.txt`]) {
        await ada.rest.repos.getContent({ ...at, path });
      }
    },
  );

  it("is refused on conflict, on a head that has moved and without write access", async () => {
    const { here } = await pull("conflict", "a.txt", "rewritten\n");
    const stale = ada.rest.pulls.merge({ ...here, sha: "1".repeat(40) });
    expect(await refusal(stale)).toMatchObject({ status: 409 });
    expect(await refusal(rob.rest.pulls.merge(here))).toMatchObject({ status: 403 });
    await write("main", "a.txt", "otherwise\n");
    expect((await ada.rest.pulls.get(here)).data).toMatchObject({
      mergeable: false,
      mergeable_state: "dirty",
    });
    expect(await refusal(ada.rest.pulls.merge(here))).toMatchObject({
      status: 405,
      message: "Pull Request is not mergeable",
    });
    await write("main", "a.txt", lines(40));
  });

  it("closes the issues its body says it fixes, and no others", async () => {
    const { data: issue } = await ada.rest.issues.create({ ...at, title: "Broken" });
    const { data: other } = await ada.rest.issues.create({ ...at, title: "Mentioned" });
    const { here } = await pull("fixes");
    await ada.rest.pulls.update({ ...here, body: `Fixes #${issue.number}, see #${other.number}` });
    await ada.rest.pulls.merge(here);
    const state = async (number: number) =>
      (await ada.rest.issues.get({ ...at, issue_number: number })).data.state;
    expect([await state(issue.number), await state(other.number)]).toEqual(["closed", "open"]);
  });

  it("the base into the head brings a branch up to date", async () => {
    const { here } = await pull("behind");
    const base = await write("main", "ahead.txt", "ahead\n");
    await ada.rest.pulls.updateBranch(here);
    const { data } = await ada.rest.pulls.get(here);
    const { data: commit } = await ada.rest.git.getCommit({ ...at, commit_sha: data.head.sha });
    expect(commit.parents.map((parent) => parent.sha)).toContain(base);
    expect(await refusal(ada.rest.pulls.updateBranch(here))).toMatchObject({ status: 422 });
  });

  it("by pushing counts as merged", async () => {
    const { here, sha } = await pull("pushed");
    await ada.rest.git.updateRef({ ...at, ref: "heads/main", sha });
    expect((await ada.rest.pulls.get(here)).data).toMatchObject({ merged: true, merge_commit_sha: sha });
  });
});
