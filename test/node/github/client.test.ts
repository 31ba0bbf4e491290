import { describe, expect, it } from "vitest";
import { GitHubError } from "../../../src/domain/github-fault.ts";
import { clientFor } from "../../../src/github/client.ts";
import { CodeWriter, RepositoryReader, ThreadWriter } from "../../../src/github/index.ts";
import { REPOSITORY, SCOPE, smallGitHub, tokenBody } from "./small-github.ts";

async function thrownBy(work: Promise<unknown>): Promise<GitHubError> {
  const thrown: unknown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (thrown instanceof GitHubError) return thrown;
  throw new Error("it did not throw a GitHubError", { cause: thrown });
}

describe("a token", () => {
  it("is minted once and used for every request of its scope, by any reader", async () => {
    const github = await smallGitHub(() => ({ body: REPOSITORY }));
    await new RepositoryReader(github.app, SCOPE).repository();
    await new RepositoryReader(github.app, SCOPE).repository();
    expect(github.minted).toHaveLength(1);
    expect(github.asked).toHaveLength(2);
    expect(github.asked[0]?.headers.authorization).toBe(`token ${github.asked[1]?.token}`);
  });

  it("is for one repository and the least that its purpose needs", async () => {
    const github = await smallGitHub(() => ({ body: { ...REPOSITORY, sha: "s", html_url: "u" } }));
    await new RepositoryReader(github.app, SCOPE).repository();
    await new ThreadWriter(github.app, SCOPE).react({ issue: 5 }, "eyes");
    await new CodeWriter(github.app, SCOPE).blob("eA==");
    expect(github.minted.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
      [
        "/app/installations/7/access_tokens",
        {
          repository_ids: [42],
          permissions: { contents: "read", issues: "read", pull_requests: "read", metadata: "read" },
        },
      ],
      [
        "/app/installations/7/access_tokens",
        { repository_ids: [42], permissions: { issues: "write", pull_requests: "write", metadata: "read" } },
      ],
      [
        "/app/installations/7/access_tokens",
        {
          repository_ids: [42],
          permissions: { contents: "write", pull_requests: "write", issues: "read", metadata: "read" },
        },
      ],
    ]);
    expect(new Set(github.asked.map(({ token }) => token)).size).toBe(3);
  });

  it("is asked for by a JWT of the App, which goes nowhere else", async () => {
    const github = await smallGitHub(() => ({ body: REPOSITORY }));
    await new RepositoryReader(github.app, SCOPE).repository();
    const claims: unknown = JSON.parse(atob(github.minted[0]?.token.split(".")[1] ?? ""));
    expect(claims).toMatchObject({ iss: "77" });
    expect(github.asked[0]?.token).toMatch(/^ghs_/);
  });

  it("is not shared between installations or repositories", async () => {
    const github = await smallGitHub(() => ({ body: REPOSITORY }));
    for (const scope of [SCOPE, { ...SCOPE, installation: 8 }, { ...SCOPE, repositoryId: 43 }]) {
      await new RepositoryReader(github.app, scope).repository();
    }
    expect(new Set(github.asked.map(({ token }) => token)).size).toBe(3);
  });

  it("is replaced before it expires: with five minutes left it is not used any more", async () => {
    let now = Date.now();
    const github = await smallGitHub(() => ({ body: REPOSITORY }));
    const client = clientFor(github.app, { ...SCOPE, purpose: "read" }, () => now);
    const ask = () => client.request("GET /repositories/42");
    await ask();
    now += 54 * 60_000;
    await ask();
    expect(github.minted).toHaveLength(1);
    now += 2 * 60_000;
    await ask();
    expect(github.minted).toHaveLength(2);
  });

  it("that GitHub revoked is forgotten, and another is minted within the same call", async () => {
    let now = Date.now();
    let revoked = "";
    const github = await smallGitHub(({ token }) =>
      token === revoked ? { status: 401, body: { message: "Bad credentials" } } : { body: REPOSITORY },
    );
    const client = clientFor(github.app, { ...SCOPE, purpose: "read" }, () => now);
    await client.request("GET /repositories/42");
    revoked = github.asked[0]?.token ?? "";
    now += 60_000;
    await client.request("GET /repositories/42");
    expect(github.minted).toHaveLength(2);
    expect(github.asked.map(({ token }) => token === revoked)).toEqual([true, true, false]);
  });

  it("that is refused because it is fresh is tried again, not thrown away", async () => {
    const github = await smallGitHub((_, n) =>
      n <= 2 ? { status: 401, body: { message: "Bad credentials" } } : { body: REPOSITORY },
    );
    expect(await new RepositoryReader(github.app, SCOPE).repository()).toMatchObject({ id: 42 });
    expect(github.minted).toHaveLength(1);
    expect(github.asked).toHaveLength(3);
  });

  it("that stays refused ends as a fault, after two tokens", async () => {
    let now = Date.now();
    const github = await smallGitHub(() => {
      now += 10_000;
      return { status: 401, body: { message: "Bad credentials" } };
    });
    const client = clientFor(github.app, { ...SCOPE, purpose: "read" }, () => now);
    await expect(client.request("GET /repositories/42")).rejects.toMatchObject({ status: 401 });
    expect(github.minted).toHaveLength(2);
    expect(github.asked).toHaveLength(2);
  });

  it.each([
    [404, { message: "Not Found" }, "gone"],
    [403, { message: "This installation has been suspended" }, "forbidden"],
    [422, { message: "The permissions requested are not granted to this installation." }, "invalid"],
    [500, { message: "Server Error" }, "unavailable"],
  ])("that GitHub does not hand out (%i %j) is the fault %s", async (status, body, why) => {
    const github = await smallGitHub(
      () => ({}),
      () => ({ status, body }),
    );
    const error = await thrownBy(new RepositoryReader(github.app, SCOPE).repository());
    expect(error.fault).toMatchObject({ why, status });
    expect(github.asked).toHaveLength(0);
  });

  it("that lives shorter than the margin is used once and not kept", async () => {
    const github = await smallGitHub(
      () => ({ body: REPOSITORY }),
      () => ({ status: 201, body: tokenBody(60_000) }),
    );
    await new RepositoryReader(github.app, SCOPE).repository();
    await new RepositoryReader(github.app, SCOPE).repository();
    expect(github.minted).toHaveLength(2);
  });
});

describe("a failure", () => {
  it.each([
    ["a refusal", 403, { message: "Resource not accessible by integration" }],
    ["a server error", 500, { message: "Server Error" }],
    ["a page of HTML", 502, "<html>Bad Gateway</html>"],
  ])("carries no token and no request: %s", async (_, status, body) => {
    const github = await smallGitHub(() => ({ status, body }));
    const error = await thrownBy(new RepositoryReader(github.app, SCOPE).repository());
    const token = github.asked[0]?.token ?? "none";
    expect(token).toMatch(/^ghs_/);
    const all = [
      error.message,
      error.stack,
      String(error),
      JSON.stringify(error),
      JSON.stringify({ ...error }),
    ];
    for (const text of all) {
      expect(text).not.toContain(token);
      expect(text).not.toContain("authorization");
    }
    expect(Object.keys(error)).toEqual(["fault", "name"].sort());
    expect(error.cause).toBeUndefined();
  });

  it("is not tried again by octokit: the step that called records it first", async () => {
    const github = await smallGitHub(() => ({ status: 503, body: { message: "try later" } }));
    await thrownBy(new RepositoryReader(github.app, SCOPE).repository());
    expect(github.asked).toHaveLength(1);
  });

  it("is one where GitHub answers 200 with something else", async () => {
    const github = await smallGitHub(() => ({ body: { id: "42" } }));
    const error = await thrownBy(new RepositoryReader(github.app, SCOPE).repository());
    expect(error.fault).toMatchObject({ why: "unavailable", status: 200 });
    expect(error.fault.detail).toContain("at id");
  });

  it("is one where nobody listens", async () => {
    const github = await smallGitHub(() => ({}));
    const app = { ...github.app, apiUrl: "http://127.0.0.1:1" };
    expect((await thrownBy(new RepositoryReader(app, SCOPE).repository())).fault.why).toBe("unavailable");
  });
});

describe("a repository that moved", () => {
  it("is asked for by its id, so its name does not matter", async () => {
    const github = await smallGitHub(() => ({ body: REPOSITORY }));
    await new RepositoryReader(github.app, SCOPE).repository();
    expect(github.asked[0]?.path).toBe("/repositories/42");
  });

  it("is followed where GitHub answers a GET with 301, with the token", async () => {
    const github = await smallGitHub(({ path }) =>
      path === "/repositories/42"
        ? {
            status: 301,
            headers: { location: "/repositories/42/moved" },
            body: { message: "Moved Permanently" },
          }
        : { body: REPOSITORY },
    );
    expect(await new RepositoryReader(github.app, SCOPE).repository()).toMatchObject({ name: "hello" });
    expect(github.asked.map(({ token }) => token.slice(0, 4))).toEqual(["ghs_", "ghs_"]);
  });

  it("is not followed to another origin with the token", async () => {
    const other = await smallGitHub(() => ({ body: REPOSITORY }));
    const github = await smallGitHub(() => ({
      status: 301,
      headers: { location: `${other.url}/repositories/42` },
    }));
    await new RepositoryReader(github.app, SCOPE).repository().catch(() => undefined);
    expect(other.asked.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});
