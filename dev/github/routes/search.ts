/** Search, in the few words we use: `repo:`, `is:`, `author:`, `label:`, `in:` is ignored, the rest is text. */
import { git, runGit } from "../git/run.ts";
import { authorise } from "../http/access.ts";
import type { Rule } from "../http/access.ts";
import type { Call } from "../http/call.ts";
import { listReply } from "../http/paging.ts";
import { Refusal, validationFailed } from "../http/refusal.ts";
import { plain } from "../http/route.ts";
import type { PlainRoute } from "../http/route.ts";
import { issueShape } from "../shapes/issue.ts";
import { repositoryShape, repositoryUrl, repositoryWebUrl } from "../shapes/repository.ts";
import type { Issue, Repository } from "../state/model.ts";

export const searchRoutes: readonly PlainRoute[] = [
  plain("GET", "/search/issues", "anyone", (call) => {
    const query = parse(call);
    const rule = { needs: ["issues:read", "pull_requests:read"], role: "read" } as const;
    const found = repositories(call, query, rule).flatMap((repo) =>
      [...repo.issues.values()].filter((issue) => matches(issue, query)).map((issue) => ({ repo, issue })),
    );
    found.sort((a, b) => b.issue.createdAt - a.issue.createdAt || b.issue.number - a.issue.number);
    return listReply(
      call,
      found,
      ({ repo, issue }) => ({ ...issueShape(call.world, repo, issue), score: 1 }),
      wrap,
    );
  }),
  plain("GET", "/search/code", "signed-in", searchCode),
];

type Query = { readonly words: readonly string[]; readonly terms: ReadonlyMap<string, readonly string[]> };

function parse(call: Call): Query {
  const text = call.query("q");
  if (text === undefined) throw validationFailed({ resource: "Search", field: "q", code: "missing" });
  const terms = new Map<string, string[]>();
  const words: string[] = [];
  for (const [part] of text.matchAll(/[\w-]+:"[^"]*"|"[^"]*"|\S+/g)) {
    const term = /^([\w-]+):(.+)$/.exec(part);
    const name = term?.[1]?.toLowerCase();
    if (name === undefined) words.push(part.replaceAll('"', "").toLowerCase());
    else terms.set(name, [...(terms.get(name) ?? []), (term?.[2] ?? "").replaceAll('"', "")]);
  }
  return { words, terms };
}

/** Those named by repo:, or all; what the caller may not see is left out, as GitHub does with several. */
function repositories(call: Call, query: Query, rule: Rule): Repository[] {
  const named = query.terms.get("repo")?.map((name) => name.toLowerCase());
  const found = call.world.repositories.all().filter((repo) => {
    if (named !== undefined && !named.includes(`${repo.owner.login}/${repo.name}`.toLowerCase()))
      return false;
    try {
      authorise(call.actor, repo, rule);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  });
  if (named === undefined || found.length > 0) return found;
  throw validationFailed({
    resource: "Search",
    field: "q",
    code: "invalid",
    message:
      "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.",
  });
}

function matches(issue: Issue, query: Query): boolean {
  const is = (word: string): boolean => {
    switch (word) {
      case "issue":
        return issue.pull === undefined;
      case "pr":
      case "pull-request":
        return issue.pull !== undefined;
      case "open":
      case "closed":
        return issue.state === word;
      case "merged":
        return issue.pull !== undefined && issue.pull.mergedAt !== null;
      default:
        return true;
    }
  };
  const all = (name: string) => (query.terms.get(name) ?? []).map((value) => value.toLowerCase());
  const text = `${issue.title}\n${issue.body ?? ""}`.toLowerCase();
  return (
    [...all("is"), ...all("state"), ...all("type")].every(is) &&
    all("author").every((login) => issue.user.login.toLowerCase() === login) &&
    all("label").every((name) => issue.labels.some((label) => label.name.toLowerCase() === name)) &&
    query.words.every((word) => text.includes(word))
  );
}

/** GitHub docs: the default branch only, files below 384 KB. */
async function searchCode(call: Call) {
  const query = parse(call);
  if (query.words.length === 0) throw validationFailed({ resource: "Search", field: "q", code: "missing" });
  const found: { repo: Repository; path: string; sha: string }[] = [];
  for (const repo of repositories(call, query, { needs: ["contents:read"], role: "read" })) {
    const commit = await repo.git.commitAt(repo.defaultBranch);
    if (commit === undefined) continue;
    const patterns = query.words.flatMap((word) => ["-e", word]);
    const run = await runGit(repo.git.dir, [
      "grep",
      "-I",
      "-i",
      "-l",
      "-z",
      "-F",
      "--all-match",
      ...patterns,
      commit.oid,
    ]);
    const names = run.out
      .toString("utf8")
      .split("\0")
      .filter((name) => name !== "");
    for (const name of names) {
      const path = name.slice(name.indexOf(":") + 1);
      const sha = (await git(repo.git.dir, ["rev-parse", `${commit.oid}:${path}`])).toString("latin1").trim();
      found.push({ repo, path, sha });
    }
  }
  return listReply(call, found, ({ repo, path, sha }) => codeItem(call, repo, path, sha), wrap);
}

function codeItem(call: Call, repo: Repository, path: string, sha: string): object {
  return {
    name: path.split("/").at(-1) ?? path,
    path,
    sha,
    url: `${repositoryUrl(call.world, repo)}/contents/${path}`,
    git_url: `${repositoryUrl(call.world, repo)}/git/blobs/${sha}`,
    html_url: `${repositoryWebUrl(call.world, repo)}/blob/${repo.defaultBranch}/${path}`,
    repository: repositoryShape(call.world, repo),
    score: 1,
  };
}

function wrap(list: unknown[], total: number): object {
  return { total_count: total, incomplete_results: false, search_type: "lexical", items: list };
}
