/** The App, its installations and their tokens as GitHub's REST presents them. */
import { nodeId } from "../state/ids.ts";
import type { Installation, InstallationToken } from "../state/model.ts";
import { apiUrl } from "../world.ts";
import type { World } from "../world.ts";
import { repositoryShape } from "./repository.ts";
import { iso, isoOrNull } from "./time.ts";
import { userShape } from "./user.ts";

/** `integration`. Also what `performed_via_github_app` holds. */
export function appShape(world: World) {
  const { app } = world;
  return {
    id: app.id,
    client_id: app.clientId,
    slug: app.slug,
    node_id: nodeId("App", app.id),
    owner: userShape(world, app.owner),
    name: app.name,
    description: "",
    external_url: world.url,
    html_url: `${world.url}/apps/${app.slug}`,
    created_at: iso(app.createdAt),
    updated_at: iso(app.createdAt),
    permissions: { metadata: "read", ...app.permissions },
    events: app.events,
  };
}

export function installationShape(world: World, installation: Installation) {
  const owner =
    installation.account.type === "Organization" ? `organizations/${installation.account.login}/` : "";
  return {
    id: installation.id,
    client_id: world.app.clientId,
    account: userShape(world, installation.account),
    repository_selection: "selected",
    access_tokens_url: apiUrl(world, `/app/installations/${installation.id}/access_tokens`),
    repositories_url: apiUrl(world, "/installation/repositories"),
    html_url: `${world.url}/${owner}settings/installations/${installation.id}`,
    app_id: world.app.id,
    app_slug: world.app.slug,
    target_id: installation.account.id,
    target_type: installation.account.type,
    permissions: { metadata: "read", ...world.app.permissions },
    events: world.app.events,
    created_at: iso(installation.createdAt),
    updated_at: iso(installation.updatedAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: null,
    suspended_at: isoOrNull(installation.suspendedAt),
  };
}

/** `installation-token`. `repositories` is there only when the token was narrowed to some. */
export function tokenShape(world: World, token: InstallationToken): object {
  const narrowed = token.repositoryIds;
  return {
    token: token.token,
    expires_at: iso(token.expiresAt),
    permissions: token.grants,
    repository_selection: "selected",
    ...(narrowed === undefined
      ? {}
      : {
          repositories: [...narrowed].flatMap((id) => {
            const repo = world.repositories.byId(id);
            return repo === undefined ? [] : [repositoryShape(world, repo)];
          }),
        }),
  };
}

/** The short form webhooks of a repository carry. */
export function installationRef(installation: Installation): { id: number; node_id: string } {
  return { id: installation.id, node_id: nodeId("Installation", installation.id) };
}
