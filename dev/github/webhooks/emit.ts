/** From something that happened to a delivery: whether the App hears of it, and the frame every payload has. */
import { isPull } from "../state/model.ts";
import type { Author, Installation, Issue, Repository } from "../state/model.ts";
import { installationRef } from "../shapes/app.ts";
import { issueShape } from "../shapes/issue.ts";
import { fullPullShape } from "../shapes/pull.ts";
import { payloadRepository } from "../shapes/repository.ts";
import { organizationShape, userShape } from "../shapes/user.ts";
import { iso } from "../shapes/time.ts";
import { apiUrl } from "../world.ts";
import type { World } from "../world.ts";
import { HOOK_ID } from "./hook.ts";

/** What an App hears without subscribing. */
const ALWAYS = new Set(["installation", "installation_repositories", "ping"]);

/** Sends `event` about a repository when the App is installed on it and subscribed. The App hears its own acts too. */
export function emit(
  world: World,
  repo: Repository,
  by: Author,
  event: string,
  action: string | null,
  body: object,
  /** Stands for the usual `repository`, where an event words it otherwise. */
  repository?: object,
): void {
  const installation = world.installations.of(repo);
  if (installation === undefined || installation.suspendedAt !== null) return;
  if (!world.app.events.includes(event) && !ALWAYS.has(event)) return;
  world.hook.send({
    event,
    action,
    installationId: installation.id,
    repositoryId: repo.id,
    payload: {
      ...(action === null ? {} : { action }),
      ...body,
      ...payloadRepository(world, repo),
      ...(repository === undefined ? {} : { repository }),
      installation: installationRef(installation),
      sender: userShape(world, by.account),
    },
  });
}

/** Something about the installation itself: no repository frame. */
export function emitInstallation(
  world: World,
  installation: Installation,
  by: Author,
  event: string,
  action: string,
  body: object,
): void {
  world.hook.send({
    event,
    action,
    installationId: installation.id,
    repositoryId: null,
    payload: {
      action,
      ...body,
      ...(installation.account.type === "Organization"
        ? { organization: organizationShape(world, installation.account) }
        : {}),
      sender: userShape(world, by.account),
    },
  });
}

/** What GitHub sends when a hook is made, to see whether anybody listens. */
export function emitPing(world: World): void {
  const { app, hook } = world;
  hook.send({
    event: "ping",
    action: null,
    installationId: null,
    repositoryId: null,
    payload: {
      zen: "Keep it logically awesome.",
      hook_id: HOOK_ID,
      hook: {
        type: "App",
        id: HOOK_ID,
        name: "web",
        active: true,
        events: app.events,
        config: { content_type: "json", insecure_ssl: "0", secret: "********", url: hook.url ?? "" },
        updated_at: iso(app.createdAt),
        created_at: iso(app.createdAt),
        app_id: app.id,
        deliveries_url: apiUrl(world, "/app/hook/deliveries"),
      },
    },
  });
}

/** `issues.ACTION` or `pull_request.ACTION`, whichever the thread is, with the fields each carries. */
export function emitThread(
  world: World,
  repo: Repository,
  issue: Issue,
  by: Author,
  action: string,
  more: object = {},
): void {
  if (isPull(issue)) {
    const body = { number: issue.number, pull_request: fullPullShape(world, repo, issue, null), ...more };
    emit(world, repo, by, "pull_request", action, body);
  } else emit(world, repo, by, "issues", action, { issue: issueShape(world, repo, issue), ...more });
}
