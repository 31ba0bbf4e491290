/** What a client may ask before it knows anything: the root, versions, limits. */
import { ok, text } from "../http/call.ts";
import { plain } from "../http/route.ts";
import type { PlainRoute } from "../http/route.ts";
import { Refusal } from "../http/refusal.ts";
import { apiUrl } from "../world.ts";

/** The root's fields without `_url`, and what each points to. */
const ROOT = {
  current_user: "/user",
  current_user_authorizations_html: "/settings/connections/applications{/client_id}",
  authorizations: "/authorizations",
  code_search: "/search/code?q={query}{&page,per_page,sort,order}",
  commit_search: "/search/commits?q={query}{&page,per_page,sort,order}",
  emails: "/user/emails",
  emojis: "/emojis",
  events: "/events",
  feeds: "/feeds",
  followers: "/user/followers",
  following: "/user/following{/target}",
  gists: "/gists{/gist_id}",
  issue_search: "/search/issues?q={query}{&page,per_page,sort,order}",
  issues: "/issues",
  keys: "/user/keys",
  label_search: "/search/labels?q={query}&repository_id={repository_id}{&page,per_page}",
  notifications: "/notifications",
  organization: "/orgs/{org}",
  organization_repositories: "/orgs/{org}/repos{?type,page,per_page,sort}",
  organization_teams: "/orgs/{org}/teams",
  public_gists: "/gists/public",
  rate_limit: "/rate_limit",
  repository: "/repos/{owner}/{repo}",
  repository_search: "/search/repositories?q={query}{&page,per_page,sort,order}",
  current_user_repositories: "/user/repos{?type,page,per_page,sort}",
  starred: "/user/starred{/owner}{/repo}",
  starred_gists: "/gists/starred",
  user: "/users/{user}",
  user_organizations: "/user/orgs",
  user_repositories: "/users/{user}/repos{?type,page,per_page,sort}",
  user_search: "/search/users?q={query}{&page,per_page,sort,order}",
} as const;

export const metaRoutes: readonly PlainRoute[] = [
  plain("GET", "/?", "anyone", (call) =>
    ok(
      Object.fromEntries(
        Object.entries(ROOT).map(([name, path]) => [`${name}_url`, apiUrl(call.world, path)]),
      ),
    ),
  ),
  plain("GET", "/meta", "anyone", () =>
    ok({ verifiable_password_authentication: true, installed_version: "3.19.0" }),
  ),
  plain("GET", "/zen", "anyone", () => text("text/plain", "Keep it logically awesome.")),
  plain("GET", "/rate_limit", "anyone", (call) => {
    const limit = call.actor.kind === "anonymous" ? 60 : 5_000;
    const reset = Math.ceil(call.world.now() / 1000) + 3_600;
    const core = { limit, used: 0, remaining: limit, reset, resource: "core" };
    const search = { limit: 30, used: 0, remaining: 30, reset, resource: "search" };
    const graphql = { limit: 5_000, used: 0, remaining: 5_000, reset, resource: "graphql" };
    return ok({ resources: { core, search, graphql }, rate: core });
  }),
  plain("GET", "/versions", "anyone", () => ok(["2022-11-28"])),
  plain("POST", "/graphql", "anyone", () => {
    throw new Refusal(404, "GraphQL is not part of this server: use the REST API.");
  }),
];
