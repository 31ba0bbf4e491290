/** Repositories as GitHub's REST and webhooks present them. */
import { nodeId } from "../state/ids.ts";
import { repositoryName } from "../state/model.ts";
import type { Repository } from "../state/model.ts";
import { permissionFlags } from "../state/roles.ts";
import type { Role } from "../state/roles.ts";
import { apiUrl } from "../world.ts";
import type { World } from "../world.ts";
import { iso } from "./time.ts";
import { organizationShape, userShape } from "./user.ts";

/** Address fields of a repository and what follows its own url in each. */
const ADDRESSES = {
  archive_url: "/{archive_format}{/ref}",
  assignees_url: "/assignees{/user}",
  blobs_url: "/git/blobs{/sha}",
  branches_url: "/branches{/branch}",
  collaborators_url: "/collaborators{/collaborator}",
  comments_url: "/comments{/number}",
  commits_url: "/commits{/sha}",
  compare_url: "/compare/{base}...{head}",
  contents_url: "/contents/{+path}",
  contributors_url: "/contributors",
  deployments_url: "/deployments",
  downloads_url: "/downloads",
  events_url: "/events",
  forks_url: "/forks",
  git_commits_url: "/git/commits{/sha}",
  git_refs_url: "/git/refs{/sha}",
  git_tags_url: "/git/tags{/sha}",
  hooks_url: "/hooks",
  issue_comment_url: "/issues/comments{/number}",
  issue_events_url: "/issues/events{/number}",
  issues_url: "/issues{/number}",
  keys_url: "/keys{/key_id}",
  labels_url: "/labels{/name}",
  languages_url: "/languages",
  merges_url: "/merges",
  milestones_url: "/milestones{/number}",
  notifications_url: "/notifications{?since,all,participating}",
  pulls_url: "/pulls{/number}",
  releases_url: "/releases{/id}",
  stargazers_url: "/stargazers",
  statuses_url: "/statuses/{sha}",
  subscribers_url: "/subscribers",
  subscription_url: "/subscription",
  tags_url: "/tags",
  teams_url: "/teams",
  trees_url: "/git/trees{/sha}",
} as const;

export function repositoryUrl(world: World, repo: Repository): string {
  return apiUrl(world, `/repos/${repositoryName(repo)}`);
}

export function repositoryWebUrl(world: World, repo: Repository): string {
  return `${world.url}/${repositoryName(repo)}`;
}

function addresses(url: string): Record<keyof typeof ADDRESSES, string> {
  const made: Record<string, string> = { ...ADDRESSES };
  for (const [field, suffix] of Object.entries(ADDRESSES)) made[field] = url + suffix;
  return { ...ADDRESSES, ...made };
}

/** `repository`: lists, webhooks and the repo objects inside pull requests. */
export function repositoryShape(world: World, repo: Repository) {
  const url = repositoryUrl(world, repo);
  const web = repositoryWebUrl(world, repo);
  const host = new URL(world.url).host;
  const openIssues = [...repo.issues.values()].filter((issue) => issue.state === "open").length;
  const forks = world.repositories.all().filter((one) => one.parent === repo).length;
  return {
    id: repo.id,
    node_id: nodeId("Repository", repo.id),
    name: repo.name,
    full_name: repositoryName(repo),
    private: repo.private,
    owner: userShape(world, repo.owner),
    html_url: web,
    description: repo.description,
    fork: repo.parent !== undefined,
    url,
    ...addresses(url),
    created_at: iso(repo.createdAt),
    updated_at: iso(repo.updatedAt),
    pushed_at: iso(repo.pushedAt),
    git_url: `git://${host}/${repositoryName(repo)}.git`,
    ssh_url: `git@${host}:${repositoryName(repo)}.git`,
    clone_url: `${web}.git`,
    svn_url: web,
    homepage: null,
    size: 0,
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: true,
    has_projects: true,
    has_downloads: true,
    has_wiki: true,
    has_pages: false,
    has_discussions: false,
    forks_count: forks,
    mirror_url: null,
    archived: repo.archived,
    disabled: false,
    open_issues_count: openIssues,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: repo.topics,
    visibility: repo.private ? "private" : "public",
    forks,
    open_issues: openIssues,
    watchers: 0,
    default_branch: repo.defaultBranch,
  };
}

/** `full-repository`: GET /repos/{owner}/{repo}. `role` undefined leaves out permissions, as for anonymous callers. */
export function fullRepositoryShape(world: World, repo: Repository, role: Role | undefined): object {
  return {
    ...repositoryShape(world, repo),
    ...(role === undefined ? {} : { permissions: permissionFlags(role) }),
    temp_clone_token: null,
    allow_squash_merge: true,
    allow_merge_commit: true,
    allow_rebase_merge: true,
    allow_auto_merge: false,
    delete_branch_on_merge: false,
    allow_update_branch: false,
    squash_merge_commit_title: "COMMIT_OR_PR_TITLE",
    squash_merge_commit_message: "COMMIT_MESSAGES",
    merge_commit_title: "MERGE_MESSAGE",
    merge_commit_message: "PR_TITLE",
    custom_properties: {},
    ...(repo.owner.type === "Organization" ? { organization: userShape(world, repo.owner) } : {}),
    ...(repo.parent === undefined
      ? {}
      : { parent: repositoryShape(world, repo.parent), source: repositoryShape(world, repo.parent) }),
    network_count: 0,
    subscribers_count: 0,
  };
}

/** The `repository` and, for an organisation's, `organization` of a webhook payload. */
export function payloadRepository(world: World, repo: Repository): object {
  return {
    repository: { ...repositoryShape(world, repo), custom_properties: {} },
    ...(repo.owner.type === "Organization" ? { organization: organizationShape(world, repo.owner) } : {}),
  };
}
