import { readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parts } from "../../../dev/world/person.ts";
import { journeys } from "./journey.ts";

const journey = journeys();

const TEST = `import test from "node:test";
import assert from "node:assert/strict";
import { add } from "../src/add.ts";
test("adds", () => assert.equal(add(1, 2), 3));
`;
const REPOSITORY = {
  "README.md": "# Numbers\n",
  "package.json": JSON.stringify({ name: "numbers", type: "module", scripts: { test: "node --test" } }),
  "src/add.ts": "export const add = (a: number, b: number) => a - b;\n",
  "test/add.test.ts": TEST,
};
const UNTESTED = { "README.md": "# Words\n", "src/word.txt": "wrod\n" };
const FIX = String.raw`%% write: src/add.ts <<<export const add = (a: number, b: number) => a + b;\n`;

async function onlyPull(name: string) {
  const { data } = await journey().ada.octokit.rest.pulls.list({ ...parts(name), state: "all" });
  expect(data).toHaveLength(1);
  const pull = data[0];
  if (pull === undefined) throw new Error("there is no pull request");
  return pull;
}

async function noPull(name: string) {
  const { data } = await journey().ada.octokit.rest.pulls.list({ ...parts(name), state: "all" });
  expect(data).toEqual([]);
}

describe("a mention that asks for a change", () => {
  it("becomes a pull request with the fix, tested, signed, and crediting who asked", async () => {
    const { ask, repository, show, world } = journey();
    const name = await repository(REPOSITORY);
    const { issue, comment } = await ask(
      name,
      `@patchwright add subtracts\n%% propose: Make add add.\n${FIX}`,
    );
    const pull = await onlyPull(name);
    expect(comment).toContain(`**Opened #${pull.number}**`);
    expect(pull).toMatchObject({
      title: "Make add add.",
      draft: false,
      base: { ref: "main" },
      head: { ref: `patchwright/issue-${issue}-make-add-add` },
      user: { login: "patchwright[bot]" },
    });
    expect(pull.body).toMatch(new RegExp(`^Closes #${issue}\n`));
    expect(pull.body).toContain("The tests pass");
    expect(await show(name, pull.head.ref, "src/add.ts")).toContain("a + b");
    const { data: commit } = await journey().ada.octokit.rest.repos.getCommit({
      ...parts(name),
      ref: pull.head.sha,
    });
    expect(commit.commit.verification?.verified).toBe(true);
    const ada = world.users["ada"];
    expect(commit.commit.message).toContain(`Co-authored-by: ada <${ada?.id}+ada@users.noreply.github.com>`);
    expect(commit.files?.map(({ filename }) => filename)).toEqual(["src/add.ts"]);
  });

  it("that makes the tests fail becomes a draft that says so", async () => {
    const { ask, repository } = journey();
    const name = await repository(REPOSITORY);
    const { comment } = await ask(
      name,
      String.raw`@patchwright go
%% propose: Multiply.
%% write: src/add.ts <<<export const add = (a: number, b: number) => a * b;\n`,
    );
    const pull = await onlyPull(name);
    expect(pull.draft).toBe(true);
    expect(pull.body).toContain("**The tests fail**");
    expect(comment).toContain("**The tests fail**");
  });

  it("in a repository without tests becomes a draft that says it is not tested", async () => {
    const { ask, repository, show } = journey();
    const name = await repository(UNTESTED);
    await ask(
      name,
      String.raw`@patchwright go
%% propose: Spell it.
%% write: src/word.txt <<<word\n`,
    );
    const pull = await onlyPull(name);
    expect(pull.draft).toBe(true);
    expect(pull.body).toContain("**Not tested**");
    expect(await show(name, pull.head.ref, "src/word.txt")).toBe("word\n");
  });

  it("is tested by the commands that the base branch's config names", async () => {
    const { ask, repository } = journey();
    const name = await repository({
      ...UNTESTED,
      ".github/patchwright.yml": "checks:\n  test: grep -q '^word$' src/word.txt\n",
    });
    await ask(
      name,
      String.raw`@patchwright go
%% propose: Spell it.
%% bash: printf 'checks:\n  test: "false"\n' > .github/patchwright.yml
%% write: src/word.txt <<<word\n`,
    );
    const pull = await onlyPull(name);
    expect(pull.draft).toBe(false);
    expect(pull.body).toContain("grep -q");
    // The agent's own idea of how it is tested is neither used nor delivered.
    expect(pull.body).toContain("`.github/patchwright.yml`: protected");
  });

  it("keeps the executable bit, deletions and binary content, and leaves symlinks and workflows out", async () => {
    const { ask, ada, repository } = journey();
    const name = await repository({ ...UNTESTED, "old.txt": "old\n" });
    await ask(
      name,
      String.raw`@patchwright go
%% propose: Move things.
%% bash: rm old.txt; printf '#!/bin/sh\n' > run.sh; chmod +x run.sh; printf '\000\001\377' > raw.bin; ln -s /etc/passwd link; mkdir -p .github/workflows; echo on > .github/workflows/ci.yml`,
    );
    const pull = await onlyPull(name);
    const tree = await ada.octokit.rest.git.getTree({
      ...parts(name),
      tree_sha: pull.head.sha,
      recursive: "1",
    });
    const modes = Object.fromEntries(tree.data.tree.map(({ path, mode }) => [path, mode]));
    expect(modes).toMatchObject({ "run.sh": "100755", "raw.bin": "100644" });
    expect(Object.keys(modes)).not.toEqual(expect.arrayContaining(["old.txt"]));
    expect(modes["link"]).toBeUndefined();
    expect(modes[".github/workflows/ci.yml"]).toBeUndefined();
    const blob = tree.data.tree.find(({ path }) => path === "raw.bin")?.sha ?? "";
    const raw = await ada.octokit.rest.git.getBlob({ ...parts(name), file_sha: blob });
    expect(Buffer.from(raw.data.content, "base64")).toEqual(Buffer.from([0, 1, 255]));
    expect(pull.body).toContain("`link`: symlink");
    expect(pull.body).toContain("`.github/workflows/ci.yml`: protected");
  });

  it("never takes a branch that is there: it takes the next name", async () => {
    const { ask, ada, repository } = journey();
    const name = await repository(UNTESTED);
    const { data: main } = await ada.octokit.rest.git.getRef({ ...parts(name), ref: "heads/main" });
    await ada.octokit.rest.git.createRef({
      ...parts(name),
      ref: "refs/heads/patchwright/issue-1-spell-it",
      sha: main.object.sha,
    });
    await ask(
      name,
      String.raw`@patchwright go
%% propose: Spell it.
%% write: src/word.txt <<<word\n`,
    );
    expect((await onlyPull(name)).head.ref).toBe("patchwright/issue-1-spell-it-2");
    const { data: theirs } = await ada.octokit.rest.git.getRef({
      ...parts(name),
      ref: "heads/patchwright/issue-1-spell-it",
    });
    expect(theirs.object.sha).toBe(main.object.sha);
  });
});

describe("a change that comes to nothing", () => {
  it("because the agent changed nothing, ends in a comment that says so", async () => {
    const { ask, repository } = journey();
    const name = await repository(REPOSITORY);
    const { comment } = await ask(name, "@patchwright go\n%% propose: Do nothing.\n%% bash: true");
    expect(comment).toContain("without changing a file");
    await noPull(name);
  });

  it("because the agent failed, ends in a comment that says so", async () => {
    const { ask, ends, repository } = journey();
    const name = await repository(REPOSITORY);
    const { comment, issue } = await ask(
      name,
      "@patchwright go\n%% propose: Break.\n%% bash: true\n%% fail: 400 always",
    );
    expect(comment).toContain("The agent ended with an error");
    expect(await ends(name, issue)).toMatchObject([{ end: { state: "failed", why: "agent-failed" } }]);
    await noPull(name);
  });

  it("because only protected files were changed, ends in a comment that lists them", async () => {
    const { ask, repository } = journey();
    const name = await repository(UNTESTED);
    const { comment } = await ask(
      name,
      "@patchwright go\n%% propose: CI.\n%% bash: mkdir -p .github/workflows; echo on > .github/workflows/ci.yml",
    );
    expect(comment).toContain("may not publish");
    expect(comment).toContain(".github/workflows/ci.yml: protected");
    await noPull(name);
  });

  it("leaves no container behind", async () => {
    const { world } = journey();
    const folders = await readdir(world.boxes, { withFileTypes: true });
    expect(folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)).toEqual([]);
  });
});
