/**
 * A local GitHub: one process that octokit, git and a webhook receiver take for a GitHub Enterprise Server.
 * Owns its state (in memory) and its bare repositories (under `root`); talks to nobody but the App's webhook.
 */
import { mkdir } from "node:fs/promises";
import { installOn } from "./acts/installations.ts";
import { createRepository, seed } from "./acts/repositories.ts";
import type { AddedRepository, LocalGitHub, LocalGitHubOptions, NewRepository } from "./options.ts";
import { listen } from "./server.ts";
import type { Repository } from "./state/model.ts";
import { repositoryName } from "./state/model.ts";
import { viewOf } from "./state/view.ts";
import { createWorld } from "./world.ts";
import type { World } from "./world.ts";

export type * from "./options.ts";

/** Starts the server. It listens when this resolves; `close` stops it and every process and delivery it started. */
export async function startGitHub(options: LocalGitHubOptions): Promise<LocalGitHub> {
  await mkdir(options.root, { recursive: true });
  const world = createWorld(options);
  const listening = await listen(world, options.port ?? 0);
  world.url = listening.url;
  return {
    url: listening.url,
    apiUrl: `${listening.url}/api/v3`,
    addUser: (login, user) => {
      const account = world.accounts.ensure(login, user?.type ?? (login.endsWith("[bot]") ? "Bot" : "User"));
      return { id: account.id, login: account.login, token: world.accounts.issueToken(account) };
    },
    addRepository: (repository) => addRepository(world, repository),
    setPermission: (fullName, login, role) => {
      const account = world.accounts.ensure(login, login.endsWith("[bot]") ? "Bot" : "User");
      named(world, fullName).roles.set(account.login.toLowerCase(), role);
    },
    install: (fullNames) => {
      const repos = fullNames.map((fullName) => named(world, fullName));
      const owner = repos[0]?.owner;
      if (owner === undefined || repos.some((repo) => repo.owner !== owner)) {
        throw new Error("an installation is of one owner's repositories, and of at least one");
      }
      const by = { account: owner, viaApp: false };
      return { installationId: installOn(world, owner, repos, by).id };
    },
    setWebhookUrl: (url) => {
      world.hook.url = url;
    },
    deliveries: () => world.hook.deliveries(),
    redeliver: async (guid) => {
      if (!(await world.hook.redeliver((delivery) => delivery.guid === guid))) {
        throw new Error(`no delivery has the GUID ${guid}`);
      }
    },
    idle: () => world.hook.idle(),
    audit: world.audit,
    faults: world.faults,
    state: (fullName) => viewOf(named(world, fullName)),
    close: async () => {
      await listening.close();
      await world.hook.close();
      for (const repo of world.repositories.all()) repo.git.close();
    },
  };
}

async function addRepository(world: World, wanted: NewRepository): Promise<AddedRepository> {
  const owner = world.accounts.ensure(wanted.owner, wanted.ownerType ?? "User");
  const repo = await createRepository(world, owner, {
    name: wanted.name,
    private: wanted.private ?? false,
    defaultBranch: wanted.defaultBranch ?? "main",
    description: wanted.description ?? null,
  });
  const head = wanted.files === undefined ? undefined : await seed(world, repo, wanted.files);
  const installationId = world.installations.of(repo)?.id;
  return { id: repo.id, fullName: repositoryName(repo), installationId, head };
}

/** By its present or a former name. */
function named(world: World, fullName: string): Repository {
  const found = world.repositories.byName(fullName);
  if (found.found === "no") throw new Error(`there is no repository ${fullName}`);
  return found.repo;
}
