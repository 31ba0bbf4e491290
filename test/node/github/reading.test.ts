import { describe, expect, it } from "vitest";
import { CodeWriter, RepositoryReader, ThreadWriter } from "../../../src/github/index.ts";
import { sendGitRead } from "../../../src/github/git-read.ts";
import { SCOPE, smallGitHub, type Answer, type Asked } from "./small-github.ts";

const AS_OF = "2026-11-01T10:05:00Z";
const ISSUE = {
  title: "t",
  body: null,
  state: "open",
  user: null,
  comments: 0,
  labels: ["a", { name: "b" }, {}],
};

const comment = (login: string, created_at: string, updated_at = created_at) => ({
  id: 1,
  html_url: "u",
  body: `by ${login}`,
  user: { login },
  created_at,
  updated_at,
});

/** Pages of comments, as many as are asked for. */
function paged(comments: readonly object[]): (asked: Asked) => Answer {
  return ({ path }) => {
    const url = new URL(path, "http://x.example");
    if (!url.pathname.endsWith("/comments")) return { body: { ...ISSUE, comments: comments.length } };
    const [page, size] = [Number(url.searchParams.get("page")), Number(url.searchParams.get("per_page"))];
    return { body: comments.slice((page - 1) * size, page * size) };
  };
}

describe("a thread as it was when someone asked", () => {
  it("leaves out what was written or edited since, and counts it; the same second is after", async () => {
    const github = await smallGitHub(
      paged([
        comment("before", "2026-11-01T10:04:59Z"),
        comment("edited-before", "2026-11-01T10:00:00Z", "2026-11-01T10:04:59Z"),
        comment("same-second", AS_OF),
        comment("edited-in-it", "2026-11-01T10:00:00Z", AS_OF),
        comment("edited-after", "2026-11-01T10:00:00Z", "2026-11-02T00:00:00Z"),
        comment("after", "2026-11-01T10:05:01Z"),
      ]),
    );
    const thread = await new RepositoryReader(github.app, SCOPE).thread(5, AS_OF);
    expect(thread.comments.map(({ author }) => author)).toEqual(["before", "edited-before"]);
    expect(thread.leftOut).toBe(4);
  });

  it("has empty texts and the ghost where GitHub says null", async () => {
    const github = await smallGitHub(
      paged([{ ...comment("x", "2026-11-01T10:00:00Z"), user: null, body: null }]),
    );
    expect(await new RepositoryReader(github.app, SCOPE).thread(5, AS_OF)).toEqual({
      number: 5,
      title: "t",
      body: "",
      author: "ghost",
      state: "open",
      labels: ["a", "b", ""],
      comments: [{ author: "ghost", at: "2026-11-01T10:00:00Z", text: "" }],
      leftOut: 0,
    });
  });

  it("has its newest comments where all of them are too much", async () => {
    const long = (login: string) => ({ ...comment(login, "2026-11-01T10:00:00Z"), body: "x".repeat(60_000) });
    const github = await smallGitHub(paged(["a", "b", "c", "d", "e"].map(long)));
    const thread = await new RepositoryReader(github.app, SCOPE).thread(5, AS_OF);
    expect(thread.comments.map(({ author }) => author)).toEqual(["c", "d", "e"]);
    expect(thread.leftOut).toBe(2);
  });

  it.each([
    [99, 1],
    [100, 1],
    [300, 3],
    [301, 3],
    [1_000, 3],
  ])("of %i comments takes %i pages at most", async (count, pages) => {
    const github = await smallGitHub(
      paged(Array.from({ length: count }, () => comment("a", "2026-11-01T10:00:00Z"))),
    );
    const thread = await new RepositoryReader(github.app, SCOPE).thread(5, AS_OF);
    expect(github.asked.filter(({ path }) => path.includes("/comments?"))).toHaveLength(pages);
    expect(thread.comments.length + thread.leftOut).toBe(count);
  });
});

describe("a reader", () => {
  it.each<[number, unknown, string]>([
    [200, { permission: "admin", role_name: "admin" }, "admin"],
    [200, { permission: "write", role_name: "maintain" }, "write"],
    [200, { permission: "read", role_name: "triage" }, "read"],
    [200, { permission: "something new" }, "none"],
    [404, { message: "ada is not a user" }, "none"],
  ])("takes a permission of %i %j for %s", async (status, body, level) => {
    const github = await smallGitHub(() => ({ status, body }));
    expect(await new RepositoryReader(github.app, SCOPE).permission("a/../b")).toBe(level);
    expect(github.asked[0]?.path).toBe("/repositories/42/collaborators/a%2F..%2Fb/permission");
  });

  it.each([
    ["a b/#c?.md", "/repositories/42/contents/a%20b/%23c%3F.md?ref=0123"],
    ["日本/ä.md", "/repositories/42/contents/%E6%97%A5%E6%9C%AC/%C3%A4.md?ref=0123"],
  ])("asks for the file %j by the path it has", async (path, asked) => {
    const github = await smallGitHub(() => ({ body: "text of it" }));
    expect(await new RepositoryReader(github.app, SCOPE).file(path, "0123")).toBe("text of it");
    expect(github.asked[0]?.path).toBe(asked);
    expect(github.asked[0]?.headers.accept).toBe("application/vnd.github.raw+json");
  });

  it("says that a file is not there, and throws where it may not look", async () => {
    const missing = await smallGitHub(() => ({ status: 404, body: { message: "Not Found" } }));
    expect(await new RepositoryReader(missing.app, SCOPE).file("a", "0123")).toBeUndefined();
    const forbidden = await smallGitHub(() => ({ status: 403, body: { message: "no" } }));
    await expect(new RepositoryReader(forbidden.app, SCOPE).file("a", "0123")).rejects.toMatchObject({
      fault: { why: "forbidden" },
    });
  });

  it("asks for a branch by all of its name", async () => {
    const body = { sha: "s", commit: { message: "m", tree: { sha: "t" }, author: null } };
    const github = await smallGitHub(() => ({ body }));
    const head = await new RepositoryReader(github.app, SCOPE).branchHead("feat/#1@x+ä");
    expect(head).toEqual({ commit: "s", tree: "t", branch: "feat/#1@x+ä" });
    expect(decodeURIComponent(github.asked[0]?.path ?? "")).toBe(
      "/repositories/42/commits/heads/feat/#1@x+ä",
    );
  });

  it("reads a blob from base64 in lines, byte for byte", async () => {
    const bytes = Buffer.from(Array.from({ length: 200 }, (_, n) => n));
    const content = bytes.toString("base64").replaceAll(/(.{60})/g, "$1\n");
    const github = await smallGitHub(() => ({ body: { content, encoding: "base64" } }));
    expect(Buffer.from(await new RepositoryReader(github.app, SCOPE).blob("s")).equals(bytes)).toBe(true);
  });

  it("hands a tarball out as it streams in", async () => {
    const github = await smallGitHub(() => ({ body: "x".repeat(200_000) }));
    const stream = await new RepositoryReader(github.app, SCOPE).tarball("0123");
    expect(await new Response(stream).text()).toHaveLength(200_000);
  });
});

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

  it("that a person deleted stays deleted", async () => {
    const github = await smallGitHub(() => ({ status: 404, body: { message: "Not Found" } }));
    expect(await new ThreadWriter(github.app, SCOPE).editComment(1, "b")).toBe(false);
    expect(github.asked).toHaveLength(1);
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

  it("is a branch that was not there: one that is, is a fault with GitHub's words", async () => {
    const github = await smallGitHub(() => ({ status: 422, body: { message: "Reference already exists" } }));
    await expect(new CodeWriter(github.app, SCOPE).createBranch("a/b", "s")).rejects.toMatchObject({
      fault: { why: "invalid", status: 422, detail: expect.stringContaining("Reference already exists") },
    });
    expect(JSON.parse(github.asked[0]?.body ?? "")).toEqual({ ref: "refs/heads/a/b", sha: "s" });
  });

  it("is a pull request of that very branch, open or closed", async () => {
    const pull = (ref: string, state: string) => ({
      number: 6,
      html_url: "u",
      state,
      draft: true,
      head: { sha: "s", ref },
    });
    const github = await smallGitHub(() => ({ body: [pull("a-2", "open"), pull("a", "closed")] }));
    const found = await new CodeWriter(github.app, SCOPE).findPullRequest("octo", "a", "main");
    expect(found).toEqual({ number: 6, url: "u", state: "closed", draft: true, head: "s" });
    expect(github.asked[0]?.path).toBe(
      "/repositories/42/pulls?head=octo%3Aa&base=main&state=all&per_page=10",
    );
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

describe("git's read", () => {
  it("carries the token as GitHub's git takes it, and follows no redirect", async () => {
    const github = await smallGitHub(() => ({ status: 302, headers: { location: "/elsewhere" } }));
    const headers = new Headers({ authorization: "Basic containers-own", "git-protocol": "version=2" });
    const read = { method: "GET", path: "/info/refs?service=git-upload-pack", headers, body: null } as const;
    const answer = await sendGitRead(github.app, SCOPE, github.url, "octo/hello", read);
    expect(answer.status).toBe(302);
    expect(github.asked.map(({ path }) => path)).toEqual([
      "/octo/hello.git/info/refs?service=git-upload-pack",
    ]);
    expect(atob(github.asked[0]?.token ?? "")).toMatch(/^x-access-token:ghs_77_/);
    expect(github.asked[0]?.headers["git-protocol"]).toBe("version=2");
  });
});
