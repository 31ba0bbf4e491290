import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Octokit } from "octokit";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { app, person, refusal, start } from "./local-github.ts";
import type { Started } from "./local-github.ts";

let started: Started;
let github: LocalGitHub;
let ada: Octokit;
let bot: Octokit;
let head: string;
const at = { owner: "acme", repo: "widgets" };

beforeAll(async () => {
  started = await start();
  github = started.github;
  ada = person(github, github.addUser("ada").token);
  const made = await github.addRepository({
    owner: "acme",
    name: "widgets",
    private: true,
    files: { "README.md": "# Widgets\n", "src/a.ts": "a\n", "src/deep/b.ts": "b\n" },
  });
  head = made.head ?? "";
  github.setPermission("acme/widgets", "ada", "write");
  await github.addRepository({ owner: "acme", name: "empty", private: true });
  const { installationId } = github.install(["acme/widgets", "acme/empty"]);
  bot = await app(github).getInstallationOctokit(installationId);
});

afterAll(() => started.stop());

type Entry = {
  path: string;
  mode: "100644" | "100755" | "120000";
  type: "blob";
  sha?: string | null;
  content?: string;
};

async function tree(entries: Entry[]) {
  const { data: base } = await bot.rest.git.getCommit({ ...at, commit_sha: head });
  return bot.rest.git.createTree({ ...at, base_tree: base.tree.sha, tree: entries });
}

const file = (path: string, content: string): Entry => ({ path, mode: "100644", type: "blob", content });

async function commit(message: string, entries: Entry[], parents = [head]) {
  const { data } = await tree(entries);
  return bot.rest.git.createCommit({ ...at, message, tree: data.sha, parents });
}

async function pathsOf(sha: string): Promise<string[]> {
  const { data } = await bot.rest.git.getTree({ ...at, tree_sha: sha, recursive: "1" });
  return data.tree.filter((entry) => entry.type === "blob").map((entry) => entry.path);
}

describe("trees", () => {
  it("keep the base and change only what is named", async () => {
    const { data } = await tree([
      file("src/deep/c.ts", "c\n"),
      { path: "src/a.ts", mode: "100644", type: "blob", sha: null },
    ]);
    expect(await pathsOf(data.sha)).toEqual(["README.md", "src/deep/b.ts", "src/deep/c.ts"]);
  });

  it("lose a folder with its last file", async () => {
    const { data } = await tree([{ path: "src/deep/b.ts", mode: "100644", type: "blob", sha: null }]);
    expect(await pathsOf(data.sha)).toEqual(["README.md", "src/a.ts"]);
  });

  it("are the same for the same content, whoever made them", async () => {
    const [first, second] = await Promise.all([tree([file("x", "x\n")]), tree([file("x", "x\n")])]);
    expect(first.data.sha).toBe(second.data.sha);
  });

  it("refuse to delete what is not there, unknown objects and paths out of the tree", async () => {
    const gone: Entry = { path: "not/there", mode: "100644", type: "blob", sha: null };
    expect(await refusal(tree([gone]))).toMatchObject({ status: 422, message: "GitRPC::BadObjectState" });
    const unknown: Entry = { path: "x", mode: "100644", type: "blob", sha: "1".repeat(40) };
    expect(await refusal(tree([unknown]))).toMatchObject({ status: 422, message: "GitRPC::BadObjectState" });
    for (const path of ["../x", "/x", "a//b", ".git/config", "a/.GIT/hooks/x"]) {
      expect(await refusal(tree([file(path, "x")]))).toMatchObject({
        status: 422,
        message: "tree.path contains a malformed path component",
      });
    }
    expect(
      await refusal(bot.rest.git.createTree({ ...at, base_tree: "1".repeat(40), tree: [] })),
    ).toMatchObject({
      status: 422,
    });
  });

  it("with a workflow need the workflows permission, from an App", async () => {
    const change = file(".github/workflows/ci.yml", "on: push\n");
    expect(await refusal(tree([change]))).toMatchObject({
      status: 403,
      message: "Resource not accessible by integration",
    });
  });
});

describe("commits", () => {
  it("without an author are the App's own and verified", async () => {
    const { data } = await commit("Add x", [file("x", "x\n")]);
    expect(data.author).toMatchObject({ name: "patchwright[bot]" });
    expect(data.author.email).toMatch(/^\d+\+patchwright\[bot\]@users\.noreply\.github\.com$/);
    expect(data.committer.name).toBe("patchwright[bot]");
    expect(data.verification).toMatchObject({ verified: true, reason: "valid" });
    const read = await ada.rest.repos.getCommit({ ...at, ref: data.sha });
    expect(read.data.author?.login).toBe("patchwright[bot]");
    expect(read.data.commit.verification?.verified).toBe(true);
    expect(read.data.files?.map((one) => one.filename)).toEqual(["x"]);
  });

  it("with an author given are not verified", async () => {
    const { data: made } = await tree([file("y", "y\n")]);
    const author = { name: "Somebody", email: "somebody@mail.example" };
    const { data } = await bot.rest.git.createCommit({
      ...at,
      message: "Add y",
      tree: made.sha,
      parents: [head],
      author,
    });
    expect(data.author).toMatchObject(author);
    expect(data.verification).toMatchObject({ verified: false, reason: "unsigned" });
  });

  it("need a tree and parents that exist", async () => {
    const order = { ...at, message: "x", tree: "1".repeat(40), parents: [head] };
    expect(await refusal(bot.rest.git.createCommit(order))).toMatchObject({
      message: "Tree SHA does not exist",
    });
    const { data } = await tree([]);
    const orphan = { ...order, tree: data.sha, parents: ["1".repeat(40)] };
    expect(await refusal(bot.rest.git.createCommit(orphan))).toMatchObject({
      message: "Parent SHA does not exist or is not a commit object",
    });
  });

  it("keep every byte of their message but the last line feed", async () => {
    const message = "Subject\n\nBody with ü and 🎉\n\nCo-authored-by: Ada <ada@mail.example>\n";
    const { data } = await commit(message, [file("z", "z\n")]);
    expect(data.message).toBe(message.trimEnd());
  });
});

describe("refs", () => {
  it("are made once", async () => {
    const { data } = await commit("On a branch", [file("b", "b\n")]);
    await bot.rest.git.createRef({ ...at, ref: "refs/heads/once", sha: data.sha });
    expect(await refusal(bot.rest.git.createRef({ ...at, ref: "refs/heads/once", sha: head }))).toMatchObject(
      {
        status: 422,
        message: "Reference already exists",
      },
    );
    expect((await bot.rest.git.getRef({ ...at, ref: "heads/once" })).data.object.sha).toBe(data.sha);
  });

  it("are made once also when asked for twice at the same time", async () => {
    const make = () => bot.rest.git.createRef({ ...at, ref: "refs/heads/race", sha: head });
    const outcomes = await Promise.all([refusal(make()), refusal(make())]);
    expect(outcomes.map((one) => one?.message ?? "made").toSorted()).toEqual([
      "Reference already exists",
      "made",
    ]);
  });

  it("refuse names and objects that cannot be", async () => {
    const make = (ref: string, sha: string) => refusal(bot.rest.git.createRef({ ...at, ref, sha }));
    expect(await make("refs/heads/new", "1".repeat(40))).toMatchObject({ message: "Object does not exist" });
    expect(await make("refs/heads/main/below", head)).toMatchObject({ message: "Reference update failed" });
    expect(await make("refs/heads/a..b", head)).toMatchObject({
      message: "refs/heads/a..b is not a valid ref name.",
    });
    expect(await make("refs/heads/-x y", head)).toMatchObject({ status: 422 });
    const { data } = await tree([]);
    expect(await make("refs/heads/a-tree", data.sha)).toMatchObject({ message: "Reference update failed" });
  });

  it("move forward only, unless forced", async () => {
    const { data: next } = await commit("Next", [file("n", "n\n")]);
    const ref = "heads/moving";
    await bot.rest.git.createRef({ ...at, ref: `refs/${ref}`, sha: next.sha });
    expect(await refusal(bot.rest.git.updateRef({ ...at, ref, sha: head }))).toMatchObject({
      status: 422,
      message: "Update is not a fast forward",
    });
    await bot.rest.git.updateRef({ ...at, ref, sha: head, force: true });
    await bot.rest.git.updateRef({ ...at, ref, sha: next.sha, force: false });
    expect(await refusal(bot.rest.git.updateRef({ ...at, ref: "heads/nowhere", sha: head }))).toMatchObject({
      message: "Reference does not exist",
    });
  });

  it("are found exactly, or by prefix", async () => {
    await bot.rest.git.createRef({ ...at, ref: "refs/heads/topic/one", sha: head });
    await bot.rest.git.createRef({ ...at, ref: "refs/heads/topic/two", sha: head });
    expect(await refusal(bot.rest.git.getRef({ ...at, ref: "heads/topic" }))).toMatchObject({ status: 404 });
    const { data } = await bot.rest.git.listMatchingRefs({ ...at, ref: "heads/topic/t" });
    expect(data.map((one) => one.ref)).toEqual(["refs/heads/topic/two"]);
  });

  it("are deleted, except the default branch", async () => {
    await bot.rest.git.createRef({ ...at, ref: "refs/heads/doomed", sha: head });
    await bot.rest.git.deleteRef({ ...at, ref: "heads/doomed" });
    expect(await refusal(bot.rest.git.deleteRef({ ...at, ref: "heads/doomed" }))).toMatchObject({
      status: 422,
      message: "Reference does not exist",
    });
    expect(await refusal(bot.rest.git.deleteRef({ ...at, ref: "heads/main" }))).toMatchObject({
      status: 422,
    });
  });
});

describe("blobs", () => {
  it("keep arbitrary bytes", async () => {
    const bytes = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));
    const { data } = await bot.rest.git.createBlob({
      ...at,
      content: bytes.toString("base64"),
      encoding: "base64",
    });
    const read = await bot.rest.git.getBlob({ ...at, file_sha: data.sha });
    expect(Buffer.from(read.data.content, "base64").equals(bytes)).toBe(true);
    expect(read.data.size).toBe(512);
  });

  it("of several megabytes come back whole", async () => {
    const content = "0123456789abcdef".repeat(300_000);
    const { data } = await bot.rest.git.createBlob({ ...at, content });
    const raw = await bot.rest.git.getBlob({ ...at, file_sha: data.sha, mediaType: { format: "raw" } });
    expect(String(raw.data) === content || Buffer.from(String(raw.data)).length === content.length).toBe(
      true,
    );
  });

  it("are asked for by a whole id", async () => {
    expect(await refusal(bot.rest.git.getBlob({ ...at, file_sha: "abc" }))).toMatchObject({ status: 422 });
    expect(await refusal(bot.rest.git.getBlob({ ...at, file_sha: "1".repeat(40) }))).toMatchObject({
      status: 404,
    });
  });
});

describe("an empty repository", () => {
  const empty = { owner: "acme", repo: "empty" };

  it("answers 409 to git and 404 to contents", async () => {
    const conflict = { status: 409, message: "Git Repository is empty." };
    expect(await refusal(bot.rest.git.getRef({ ...empty, ref: "heads/main" }))).toMatchObject(conflict);
    expect(await refusal(bot.rest.repos.listCommits(empty))).toMatchObject(conflict);
    expect(await refusal(bot.rest.git.createBlob({ ...empty, content: "x" }))).toMatchObject(conflict);
    expect(await refusal(bot.rest.git.getTree({ ...empty, tree_sha: "main" }))).toMatchObject(conflict);
    expect(await refusal(bot.rest.repos.getContent({ ...empty, path: "" }))).toMatchObject({
      status: 404,
      message: "This repository is empty.",
    });
  });

  it("gets its first commit through the Contents API", async () => {
    await bot.rest.repos.createOrUpdateFileContents({
      ...empty,
      path: "first.txt",
      message: "First",
      content: "eA==",
    });
    expect((await bot.rest.repos.listCommits(empty)).data).toHaveLength(1);
    await bot.rest.git.createBlob({ ...empty, content: "x" });
  });
});
