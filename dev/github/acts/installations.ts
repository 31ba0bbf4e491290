/** Installing the App, and what it hears of it. */
import type { Account, Author, Installation, Repository } from "../state/model.ts";
import { repositoryName } from "../state/model.ts";
import { emitInstallation } from "../webhooks/emit.ts";
import { installationShape } from "../shapes/app.ts";
import { nodeId } from "../state/ids.ts";
import type { World } from "../world.ts";

/** Installs on these repositories of one owner: a new installation, or more repositories in the one there is. */
export function installOn(
  world: World,
  owner: Account,
  repos: readonly Repository[],
  by: Author,
): Installation {
  const found = world.installations.ofAccount(owner);
  const installation = found ?? world.installations.create(owner);
  const fresh = repos.filter((repo) => !installation.repositoryIds.has(repo.id));
  for (const repo of fresh) installation.repositoryIds.add(repo.id);
  installation.updatedAt = world.now();
  const about = { installation: installationShape(world, installation) };
  if (found === undefined) {
    emitInstallation(world, installation, by, "installation", "created", {
      ...about,
      repositories: fresh.map(brief),
      requester: null,
    });
  } else if (fresh.length > 0) tellRepositories(world, installation, by, fresh, []);
  return installation;
}

/** Takes repositories out of an installation; tokens stop working for them at once. */
export function uninstallFrom(
  world: World,
  installation: Installation,
  repos: readonly Repository[],
  by: Author,
): void {
  for (const repo of repos) installation.repositoryIds.delete(repo.id);
  tellRepositories(world, installation, by, [], repos);
}

export function deleteInstallation(world: World, installation: Installation, by: Author): void {
  const repos = [...installation.repositoryIds].flatMap((id) => world.repositories.byId(id) ?? []);
  world.installations.remove(installation);
  emitInstallation(world, installation, by, "installation", "deleted", {
    installation: installationShape(world, installation),
    repositories: repos.map(brief),
  });
}

export function suspendInstallation(
  world: World,
  installation: Installation,
  by: Author,
  suspended: boolean,
): void {
  installation.suspendedAt = suspended ? world.now() : null;
  emitInstallation(world, installation, by, "installation", suspended ? "suspend" : "unsuspend", {
    installation: installationShape(world, installation),
    repositories: [],
  });
}

function tellRepositories(
  world: World,
  installation: Installation,
  by: Author,
  added: readonly Repository[],
  removed: readonly Repository[],
): void {
  emitInstallation(
    world,
    installation,
    by,
    "installation_repositories",
    added.length > 0 ? "added" : "removed",
    {
      installation: installationShape(world, installation),
      repository_selection: "selected",
      repositories_added: added.map(brief),
      repositories_removed: removed.map(brief),
      requester: null,
    },
  );
}

/** The few fields installation events name a repository by. */
function brief(repo: Repository): object {
  return {
    id: repo.id,
    node_id: nodeId("Repository", repo.id),
    name: repo.name,
    full_name: repositoryName(repo),
    private: repo.private,
  };
}
