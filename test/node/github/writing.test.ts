import { plainText } from "../../../src/lib/plain-text.ts";
import { describe, expect, it } from "vitest";
import { CodeWriter, ThreadWriter } from "../../../src/github/index.ts";
import { paged, SCOPE, smallGitHub, type Answer, type Asked } from "./small-github.ts";

describe("our own comment", () => {
  const MARKER = "<!-- patchwright task=t request=r1 -->";
  const posted = (id: number, app: number | null, body = MARKER) => ({
    id,
    html_url: `u${id}`,
    body,
    performed_via_github_app: app === null ? null : { id: app },
  });

  it.each([
    ["posted by our App", [posted(1, null), posted(2, 77)], 2],
    ["the oldest of two", [posted(3, 77), posted(4, 77)], 3],
    ["not one with the marker that a person copied", [posted(1, null)], undefined],
    ["not one with the marker by another App", [posted(1, 78)], undefined],
    ["not one of ours for another request", [posted(1, 77, MARKER.replace("r1", "r2"))], undefined],
    [
      "not one for a request whose name only begins the same",
      [posted(1, 77, MARKER.replace("r1", "r11"))],
      undefined,
    ],
    ["on the second page", [...Array.from({ length: 100 }, () => posted(1, null)), posted(101, 77)], 101],
  ])("is %s", async (_, comments, id) => {
    const github = await smallGitHub(paged(comments));
    const found = await new ThreadWriter(github.app, SCOPE).findComment(5, MARKER, "2026-11-01T10:00:00Z");
    expect(found?.id).toBe(id);
    expect(github.asked[0]?.path).toContain("since=2026-11-01T10%3A00%3A00Z");
  });
});

describe("what is published", () => {
  it("is a commit without author and committer, so that GitHub signs it", async () => {
    const github = await smallGitHub(() => ({ status: 201, body: { sha: "s" } }));
    await new CodeWriter(github.app, SCOPE).commit("m", "t", "p");
    expect(JSON.parse(github.asked[0]?.body ?? "")).toEqual({ message: "m", tree: "t", parents: ["p"] });
  });

  it("is a tree on its base, in which null deletes", async () => {
    const github = await smallGitHub(() => ({ status: 201, body: { sha: "s" } }));
    const entries = [{ path: "a b", mode: "100644", type: "blob", sha: null }] as const;
    await new CodeWriter(github.app, SCOPE).tree("base", entries);
    expect(JSON.parse(github.asked[0]?.body ?? "")).toEqual({ base_tree: "base", tree: entries });
  });

  it("is text within the tree, too, and other bytes by their blob", async () => {
    const github = await smallGitHub(() => ({ status: 201, body: { sha: "s" } }));
    const code = new CodeWriter(github.app, SCOPE);
    const entries = [
      { path: "a", mode: "100644", type: "blob", content: "text\n" },
      { path: "b", mode: "100755", type: "blob", sha: await code.blob("AP8=") },
    ] as const;
    await code.tree("base", entries);
    expect(github.asked.map(({ body }) => JSON.parse(body))).toEqual([
      { content: "AP8=", encoding: "base64" },
      { base_tree: "base", tree: entries },
    ]);
  });

  it("is a branch that was not there: one that is, is a fault with GitHub's words", async () => {
    const github = await smallGitHub(() => ({ status: 422, body: { message: "Reference already exists" } }));
    await expect(new CodeWriter(github.app, SCOPE).createBranch("a/b", "s")).rejects.toMatchObject({
      fault: { why: "invalid", status: 422, detail: expect.stringContaining("Reference already exists") },
    });
    expect(JSON.parse(github.asked[0]?.body ?? "")).toEqual({ ref: "refs/heads/a/b", sha: "s" });
  });
});

describe("a draft", () => {
  const NEW = { title: "t", body: "b", head: "a", base: "main", draft: true };
  const refusing = (message: string) => (asked: Asked) => {
    const { draft } = JSON.parse(asked.body) as { draft: boolean };
    const pull = { number: 6, html_url: "u", state: "open", draft, head: { sha: "s", ref: "a" } };
    return draft ? { status: 422, body: { message } } : { status: 201, body: pull };
  };

  it("is opened as a plain pull request where the repository's plan has no drafts, and says so", async () => {
    const github = await smallGitHub(refusing("Draft pull requests are not supported in this repository."));
    expect(await new CodeWriter(github.app, SCOPE).openPullRequest(NEW)).toMatchObject({
      number: 6,
      draft: false,
    });
  });

  it("is not tried as a plain one for any other refusal", async () => {
    const github = await smallGitHub(refusing("Validation Failed"));
    await expect(new CodeWriter(github.app, SCOPE).openPullRequest(NEW)).rejects.toMatchObject({
      fault: { why: "invalid" },
    });
    expect(github.asked).toHaveLength(1);
  });
});

describe("an edit of our own comment", () => {
  /** A comment that says `body`, until someone edits it. */
  const saying = (body: string | null) => {
    let now = body;
    return (asked: Asked): Answer => {
      if (asked.method === "PATCH") now = (JSON.parse(asked.body) as { body: string }).body;
      return { body: { id: 1, html_url: "u", body: now } };
    };
  };
  /** What we remember of what we wrote; undefined where we know nothing of it. */
  const wrote = (text: string | undefined) => async (says: string) =>
    text === undefined || plainText(says) === plainText(text);
  const methods = (asked: readonly Asked[]) => asked.map(({ method }) => method);

  it.each<[string, string | null, string | undefined, "edited" | "changed-by-person", string[]]>([
    ["says what we wrote last", "one", "one", "edited", ["GET", "PATCH"]],
    ["has GitHub's line ends and no space at its end", "a\r\nb", "a\nb \n", "edited", ["GET", "PATCH"]],
    ["says what we do not know, as after a restart", "one", undefined, "edited", ["GET", "PATCH"]],
    ["says already what it shall say", "two", "one", "edited", ["GET"]],
    ["says a person's words", "a person's", "one", "changed-by-person", ["GET"]],
    ["says ours and a person's", "one\n\nEdit: no", "one", "changed-by-person", ["GET"]],
    ["was emptied by a person", null, "one", "changed-by-person", ["GET"]],
  ])("that %s is %j before %j: %s", async (_, says, before, outcome, sent) => {
    const github = await smallGitHub(saying(says));
    expect(await new ThreadWriter(github.app, SCOPE).editComment(1, "two", wrote(before))).toBe(outcome);
    expect(methods(github.asked)).toEqual(sent);
  });

  it("that a person deleted stays deleted", async () => {
    const github = await smallGitHub(() => ({ status: 404, body: { message: "Not Found" } }));
    const edited = await new ThreadWriter(github.app, SCOPE).editComment(1, "b", wrote("a"));
    expect(edited).toBe("changed-by-person");
    expect(methods(github.asked)).toEqual(["GET"]);
  });

  it("that is deleted between look and edit stays deleted, too", async () => {
    const github = await smallGitHub(({ method }) =>
      method === "GET"
        ? { body: { id: 1, html_url: "u", body: "a" } }
        : { status: 404, body: { message: "Not Found" } },
    );
    const edited = await new ThreadWriter(github.app, SCOPE).editComment(1, "b", wrote("a"));
    expect(edited).toBe("changed-by-person");
  });

  it("that cannot be looked at is a fault, and nothing is overwritten", async () => {
    const github = await smallGitHub(() => ({ status: 503, body: { message: "away" } }));
    const edit = new ThreadWriter(github.app, SCOPE).editComment(1, "b", wrote("a"));
    await expect(edit).rejects.toMatchObject({ fault: { why: "unavailable" } });
    expect(methods(github.asked)).toEqual(["GET"]);
  });
});

describe("the pull request of our commit", () => {
  const pull = (number: number, ref: string, sha: string, state: string) => ({
    number,
    html_url: `u${number}`,
    state,
    draft: true,
    head: { sha, ref },
  });

  it.each<[string, object[], number | undefined]>([
    ["is found open", [pull(6, "a", "ours", "open")], 6],
    ["is found closed by a person", [pull(6, "a", "ours", "closed")], 6],
    ["is not an older one of the same branch name", [pull(5, "a", "older", "closed")], undefined],
    ["is found beside an older one", [pull(5, "a", "older", "closed"), pull(6, "a", "ours", "open")], 6],
    ["is not one of a branch whose name only begins the same", [pull(6, "a-2", "ours", "open")], undefined],
    ["is not there yet", [], undefined],
  ])("%s", async (_, pulls, number) => {
    const github = await smallGitHub(() => ({ body: pulls }));
    const found = await new CodeWriter(github.app, SCOPE).findPullRequest("octo", "a", "ours");
    expect(found?.number).toBe(number);
    expect(github.asked[0]?.path).toBe("/repositories/42/pulls?head=octo%3Aa&state=all&per_page=100");
  });

  it("comes with all that is said of it", async () => {
    const github = await smallGitHub(() => ({ body: [pull(6, "a", "ours", "closed")] }));
    expect(await new CodeWriter(github.app, SCOPE).findPullRequest("octo", "a", "ours")).toEqual({
      number: 6,
      url: "u6",
      state: "closed",
      draft: true,
      head: "ours",
    });
  });
});
