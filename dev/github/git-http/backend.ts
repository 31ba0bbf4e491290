/**
 * Smart HTTP: git's own http-backend behind GitHub's authentication. What a push changed is found by comparing refs
 * before and after it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { afterRefsMoved } from "../acts/push.ts";
import type { RefChange } from "../acts/push.ts";
import { covers, grants } from "../http/access.ts";
import { actorName, actorOf } from "../http/auth.ts";
import { Refusal } from "../http/refusal.ts";
import type { Actor, Repository } from "../state/model.ts";
import { roleOf } from "../state/repositories.ts";
import { atLeast } from "../state/roles.ts";
import type { World } from "../world.ts";
import { cgi } from "./cgi.ts";
import { guardPush } from "./guard.ts";

const SERVICE_PATH = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/;

/** The answer to a git request, or undefined when the path is none. Of the faults, status, delay and lost apply. */
export async function gitHttp(
  world: World,
  request: Request,
  hangup: () => void,
): Promise<Response | undefined> {
  const url = new URL(request.url);
  const match = SERVICE_PATH.exec(url.pathname);
  if (match === null) return undefined;
  const [, owner = "", name = "", service = ""] = match;
  const writes = service === "git-receive-pack" || url.searchParams.get("service") === "git-receive-pack";
  const faults = world.faults.take(request.method, url.pathname);
  for (const fault of faults) if (fault.kind === "delay") await sleep(fault.ms);
  let actor: Actor = { kind: "anonymous" };
  let response: Response;
  try {
    for (const fault of faults) if (fault.kind === "status") throw new Refusal(fault.status, "Server Error");
    actor = actorOf(world, request.headers.get("authorization"));
    const found = world.repositories.byName(`${owner}/${name}`);
    const repo = judge(actor, found.found === "no" ? undefined : found.repo, writes);
    response = await serve(world, request, url, repo, service, actor);
  } catch (error) {
    if (!(error instanceof Refusal)) world.log(`500 ${request.method} ${url.pathname}: ${String(error)}`);
    response = refusal(error);
  }
  const { pathname, search } = url;
  world.audit.add({
    at: world.now(),
    actor: actorName(world, actor),
    method: request.method,
    path: pathname,
    query: search.replace(/^\?/, ""),
    status: response.status,
  });
  if (faults.some((fault) => fault.kind === "lost")) hangup();
  return response;
}

/** GitHub: 401 asks git for credentials; a private repository without access does not exist; writing asks for more. */
function judge(actor: Actor, repo: Repository | undefined, writes: boolean): Repository {
  switch (actor.kind) {
    case "anonymous":
      if (repo === undefined || repo.private || writes) throw new Refusal(401, "Authentication required.");
      return repo;
    case "user": {
      const role = repo === undefined ? "none" : roleOf(repo, actor.account);
      if (repo === undefined || role === "none") throw new Refusal(404, "Repository not found.");
      if (writes && !atLeast(role, "write")) {
        throw new Refusal(
          403,
          `Permission to ${repo.owner.login}/${repo.name}.git denied to ${actor.account.login}.`,
        );
      }
      return refuseArchived(repo, writes);
    }
    case "installation": {
      if (repo === undefined) throw new Refusal(404, "Repository not found.");
      const reads = covers(actor, repo) && grants(actor, "contents:read");
      if (repo.private && !reads) throw new Refusal(404, "Repository not found.");
      if (writes && !(covers(actor, repo) && grants(actor, "contents:write"))) {
        throw new Refusal(403, "Write access to repository not granted.");
      }
      return refuseArchived(repo, writes);
    }
    case "app":
      throw new Refusal(401, "Authentication required.");
  }
}

function refuseArchived(repo: Repository, writes: boolean): Repository {
  if (writes && repo.archived) throw new Refusal(403, "This repository was archived so it is read-only.");
  return repo;
}

function refusal(error: unknown): Response {
  const status = error instanceof Refusal ? error.status : 500;
  const message = error instanceof Refusal ? error.message : "Internal Server Error";
  const ask: Record<string, string> = status === 401 ? { "WWW-Authenticate": 'Basic realm="GitHub"' } : {};
  return new Response(message, { status, headers: { "Content-Type": "text/plain; charset=utf-8", ...ask } });
}

async function serve(
  world: World,
  request: Request,
  url: URL,
  repo: Repository,
  service: string,
  actor: Actor,
): Promise<Response> {
  const by = actor.kind === "user" || actor.kind === "installation" ? actor.account : undefined;
  const run = () =>
    cgi(request, { url, dir: repo.git.dir, service, user: by?.login ?? "" }, guardPush(actor));
  if (service !== "git-receive-pack") return run();
  return repo.git.exclusively(async () => {
    const before = new Map((await repo.git.refs()).map((ref) => [ref.name, ref.oid]));
    const answer = await run();
    // The push is done when its report has been read to the end.
    const report = await answer.arrayBuffer();
    repo.git.forgetRefs();
    const after = new Map((await repo.git.refs()).map((ref) => [ref.name, ref.oid]));
    const changes: RefChange[] = [];
    for (const ref of new Set([...before.keys(), ...after.keys()])) {
      const change = { ref, before: before.get(ref) ?? null, after: after.get(ref) ?? null };
      if (change.before !== change.after) changes.push(change);
    }
    if (by !== undefined && changes.length > 0) {
      await afterRefsMoved(world, repo, { account: by, viaApp: actor.kind === "installation" }, changes);
    }
    return new Response(report, { status: answer.status, headers: answer.headers });
  });
}
