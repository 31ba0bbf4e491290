import { describe, expect, it } from "vitest";
import { RepositoryReader } from "../../../src/github/index.ts";
import { sendGitRead } from "../../../src/github/git-read.ts";
import { paged, SCOPE, smallGitHub } from "./small-github.ts";

const AS_OF = "2026-11-01T10:05:00Z";
const comment = (login: string, created_at: string, updated_at = created_at) => ({
  id: 1,
  html_url: "u",
  body: `by ${login}`,
  user: { login },
  created_at,
  updated_at,
});

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
    expect(thread.comments.map(({ author }) => author)).toEqual(["d", "e"]);
    expect(thread.leftOut).toBe(3);
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
    const person = { id: 1, login: "a/../b" };
    expect(await new RepositoryReader(github.app, SCOPE).permission(person)).toBe(level);
    expect(github.asked[0]?.path).toBe("/repositories/42/collaborators/a%2F..%2Fb/permission");
  });

  it.each<[string, unknown, string]>([
    ["another account than the one that asked", { id: 2, login: "ada" }, "unknown"],
    ["the one that asked", { id: 1, login: "Ada" }, "admin"],
    ["an account it does not name", null, "admin"],
  ])(
    "believes a permission only of the account that asked: a login that belongs to %s",
    async (_, user, level) => {
      const github = await smallGitHub(() => ({ body: { permission: "admin", user } }));
      const ada = { id: 1, login: "ada" };
      expect(await new RepositoryReader(github.app, SCOPE).permission(ada)).toBe(level);
    },
  );

  it("lists the root folder without what is below it, so that GitHub does not cut it", async () => {
    const entry = (path: string, type: string) => ({ path, mode: "100644", type, sha: "s" });
    const tree = [{ ...entry("a.ts", "blob"), size: 3 }, entry("src", "tree")];
    const github = await smallGitHub(() => ({ body: { tree, truncated: false } }));
    expect(await new RepositoryReader(github.app, SCOPE).rootFolder("0123")).toEqual([
      { ...entry("a.ts", "blob"), size: 3 },
      { ...entry("src", "tree"), size: 0 },
    ]);
    expect(github.asked.map(({ path }) => path)).toEqual(["/repositories/42/git/trees/0123"]);
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
