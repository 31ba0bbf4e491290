/** Accounts as GitHub's REST presents them. */
import { nodeId } from "../state/ids.ts";
import type { Account } from "../state/model.ts";
import { apiUrl } from "../world.ts";
import type { World } from "../world.ts";
import { iso } from "./time.ts";

/** `simple-user` of the REST description. Brackets of bot logins are percent-encoded in addresses, not in html_url's app form. */
export function userShape(world: World, account: Account) {
  const url = apiUrl(world, `/users/${encodeURIComponent(account.login)}`);
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type, account.id),
    avatar_url: `${world.url}/avatars/u/${account.id}`,
    gravatar_id: "",
    url,
    html_url: profileUrl(world, account),
    followers_url: `${url}/followers`,
    following_url: `${url}/following{/other_user}`,
    gists_url: `${url}/gists{/gist_id}`,
    starred_url: `${url}/starred{/owner}{/repo}`,
    subscriptions_url: `${url}/subscriptions`,
    organizations_url: `${url}/orgs`,
    repos_url: `${url}/repos`,
    events_url: `${url}/events{/privacy}`,
    received_events_url: `${url}/received_events`,
    type: account.type,
    user_view_type: "public",
    site_admin: false,
  };
}

function profileUrl(world: World, account: Account): string {
  const app = /^(.*)\[bot\]$/.exec(account.login);
  return app === null ? `${world.url}/${account.login}` : `${world.url}/apps/${app[1] ?? ""}`;
}

/** `public-user`: what GET /users/{username} and GET /user add. */
export function publicUserShape(world: World, account: Account) {
  const repos = world.repositories.all().filter((repo) => repo.owner.id === account.id && !repo.private);
  return {
    ...userShape(world, account),
    name: account.login,
    company: null,
    blog: "",
    location: null,
    email: null,
    hireable: null,
    bio: null,
    twitter_username: null,
    public_repos: repos.length,
    public_gists: 0,
    followers: 0,
    following: 0,
    created_at: iso(account.createdAt),
    updated_at: iso(account.createdAt),
  };
}

/** The `organization` object webhook payloads carry for repositories an organisation owns. */
export function organizationShape(world: World, account: Account) {
  const url = apiUrl(world, `/orgs/${account.login}`);
  return {
    login: account.login,
    id: account.id,
    node_id: nodeId(account.type, account.id),
    url,
    repos_url: `${url}/repos`,
    events_url: `${url}/events`,
    hooks_url: `${url}/hooks`,
    issues_url: `${url}/issues`,
    members_url: `${url}/members{/member}`,
    public_members_url: `${url}/public_members{/member}`,
    avatar_url: `${world.url}/avatars/u/${account.id}`,
    description: null,
  };
}
