import { RequestError } from "octokit";
import { describe, expect, it } from "vitest";
import { GitHubError, isTransientGitHub } from "../../../src/domain/github-fault.ts";
import { faultOf } from "../../../src/github/fault.ts";

const NOW = 1_800_000_000_000;
const request = {
  method: "GET" as const,
  url: "https://api.github.example/x",
  headers: { authorization: "token ghs_secret" },
};

function thrown(status: number, message: string, headers: Record<string, string> = {}): RequestError {
  return new RequestError(message, status, {
    request,
    response: { status, url: request.url, headers, data: {} },
  });
}

describe("what octokit throws", () => {
  it.each<[number, string, Record<string, string>, string]>([
    [401, "Bad credentials", {}, "unauthorised"],
    [403, "Resource not accessible by integration", {}, "forbidden"],
    [403, "Must have admin rights to Repository.", { "x-ratelimit-remaining": "4999" }, "forbidden"],
    [451, "Repository access blocked", {}, "forbidden"],
    [404, "Not Found", {}, "gone"],
    [410, "Issues are disabled for this repo", {}, "gone"],
    [409, "Git Repository is empty.", {}, "empty"],
    [409, "Conflict", {}, "conflict"],
    [422, "Reference already exists", {}, "invalid"],
    [400, "Problems parsing JSON", {}, "invalid"],
    [405, "Pull Request is not mergeable", {}, "invalid"],
    [429, "Too many requests", {}, "limited"],
    [403, "You have exceeded a secondary rate limit.", {}, "limited"],
    [403, "You have triggered an abuse detection mechanism", {}, "limited"],
    [403, "API rate limit exceeded for installation", { "x-ratelimit-remaining": "0" }, "limited"],
    [403, "Forbidden", { "retry-after": "7" }, "limited"],
    [500, "Server Error", {}, "unavailable"],
    [502, "Bad Gateway", { "retry-after": "7" }, "unavailable"],
    [503, "API rate limit", {}, "unavailable"],
    [301, "Moved Permanently", {}, "unavailable"],
  ])("%i %j with %j is %s", (status, message, headers, why) => {
    expect(faultOf(thrown(status, message, headers), NOW)).toMatchObject({ why, status, detail: message });
  });

  it.each<[string, Record<string, string>, number]>([
    ["as long as retry-after says", { "retry-after": "7" }, NOW + 7_000],
    [
      "retry-after before the quota's reset",
      { "retry-after": "7", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1900000000" },
      NOW + 7_000,
    ],
    [
      "until a spent quota is reset",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000060" },
      NOW + 60_000,
    ],
    [
      "not until a reset that is past",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1799999999" },
      NOW,
    ],
    [
      "a minute where there is a quota left",
      { "x-ratelimit-remaining": "12", "x-ratelimit-reset": "1800000999" },
      NOW + 60_000,
    ],
    ["a minute where nothing is said", {}, NOW + 60_000],
    [
      "a minute where retry-after is a date we do not read",
      { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" },
      NOW + 60_000,
    ],
    [
      "a minute where the reset is no number",
      { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon" },
      NOW + 60_000,
    ],
    ["a minute where retry-after is nonsense", { "retry-after": "-5" }, NOW + 60_000],
  ])("waits %s", (_, headers, retryAt) => {
    expect(faultOf(thrown(429, "Too many requests", headers), NOW)).toMatchObject({
      why: "limited",
      retryAt,
    });
  });

  it("names the permission that GitHub says is missing", () => {
    const headers = { "x-accepted-github-permissions": "pull_requests=write" };
    expect(faultOf(thrown(403, "Resource not accessible by integration", headers), NOW).detail).toBe(
      "Resource not accessible by integration (needs pull_requests=write)",
    );
  });

  it("keeps at most 500 characters, as of an HTML page", () => {
    expect(faultOf(thrown(502, "<html>".repeat(1_000)), NOW).detail).toHaveLength(500);
  });

  it.each([
    ["a broken connection", new TypeError("fetch failed")],
    ["a text", "fetch failed"],
    ["nothing", undefined],
  ])("is unavailable for %s: whether a write was applied is not known", (_, what) => {
    expect(faultOf(what, NOW)).toMatchObject({ why: "unavailable", status: 0 });
  });

  it("leaves the request's headers behind", () => {
    const error = new GitHubError(faultOf(thrown(500, "Server Error"), NOW));
    const all = [error.message, error.stack, JSON.stringify(error), JSON.stringify(error.fault)].join();
    expect(all).not.toContain("ghs_secret");
    expect(error.cause).toBeUndefined();
  });

  it.each([
    ["unavailable", true],
    ["limited", true],
    ["unauthorised", true],
    ["gone", false],
    ["forbidden", false],
    ["empty", false],
    ["conflict", false],
    ["invalid", false],
  ] as const)("%s can pass: %s", (why, transient) => {
    expect(isTransientGitHub({ why, status: 0, detail: "" })).toBe(transient);
  });
});
