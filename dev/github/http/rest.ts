/** One REST request from its first header to its response: faults, actor, route, audit. */
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultKind } from "../options.ts";
import type { Actor, Repository } from "../state/model.ts";
import type { World } from "../world.ts";
import { apiUrl } from "../world.ts";
import { authorise, refuseArchived } from "./access.ts";
import { actorName, actorOf } from "./auth.ts";
import { Call } from "./call.ts";
import type { Reply } from "./call.ts";
import { RouteTable } from "./match.ts";
import {
  Refusal,
  badCredentials,
  movedPermanently,
  notByIntegration,
  notFound,
  requiresAuthentication,
} from "./refusal.ts";
import { RateMeter, commonHeaders, refusalReply, respond } from "./respond.ts";
import type { PlainRoute, RepoRoute } from "./route.ts";

export type RestOptions = {
  readonly plain: readonly PlainRoute[];
  readonly repo: readonly RepoRoute[];
};

/** Destroys the connection of the request being answered. */
type Hangup = () => void;

export class Rest {
  readonly #world: World;
  readonly #plain = new RouteTable<PlainRoute>();
  readonly #repo = new RouteTable<RepoRoute>();
  readonly #meter = new RateMeter();

  constructor(world: World, routes: RestOptions) {
    this.#world = world;
    for (const route of routes.plain) this.#plain.add(route.path, route);
    for (const route of routes.repo) {
      this.#repo.add(`/repos/:owner/:repo${route.path}`, route);
      this.#repo.add(`/repositories/:repository_id#${route.path}`, route);
    }
  }

  /** Answers, or hangs up for a `lost` fault. `path` is without /api/v3. */
  async handle(request: Request, path: string, hangup: Hangup): Promise<Response> {
    const world = this.#world;
    const url = new URL(request.url);
    const method = request.method;
    const body = method === "GET" || method === "HEAD" ? "" : await request.text();
    const faults = world.faults.take(method, path);
    for (const fault of faults) if (fault.kind === "delay") await sleep(fault.ms);
    let actor: Actor = { kind: "anonymous" };
    let call: Call | undefined;
    let reply: Reply;
    try {
      if ((request.headers.get("user-agent") ?? "") === "") throw noUserAgent();
      actor = actorOf(world, request.headers.get("authorization"));
      const refused = refusedBy(world, faults);
      if (refused !== undefined) reply = refused;
      else {
        const lag = faults.find((fault) => fault.kind === "lag");
        const about = { world, actor, url, method, headers: request.headers, body };
        [call, reply] = await this.#run(path, { ...about, lagMs: lag?.ms ?? 0 });
      }
    } catch (error) {
      reply = refusalReply(this.#asRefusal(error, `${method} ${path}`));
    }
    const lostStatus = faults.find((fault) => fault.kind === "lost-status");
    const lost = faults.some((fault) => fault.kind === "lost");
    if (lostStatus !== undefined) reply = { status: lostStatus.status, json: { message: "Server Error" } };
    world.audit.add({
      at: world.now(),
      actor: actorName(world, actor),
      method,
      path,
      query: url.search.replace(/^\?/, ""),
      status: reply.status,
      ...(call?.made === undefined ? {} : { created: call.made }),
      ...(body === "" ? {} : { body: jsonOrText(body) }),
      ...(lost ? { lost } : {}),
    });
    if (lost) hangup();
    return this.#response(request, reply, actor, call?.format ?? "json");
  }

  async #run(
    path: string,
    about: Omit<ConstructorParameters<typeof Call>[0], "params">,
  ): Promise<[Call, Reply]> {
    const inRepo = this.#repo.find(about.method, path);
    if (inRepo !== undefined) {
      const repo = this.#repository(inRepo.params, path, about.actor, about.url.search);
      const role = authorise(about.actor, repo, inRepo.route.rule);
      const writes = about.method !== "GET" && about.method !== "HEAD";
      // Un-archiving is the one write an archived repository takes.
      if (writes && inRepo.route.path !== "") refuseArchived(repo);
      const call = Object.assign(new Call({ ...about, params: inRepo.params }), { repo, role });
      return [call, await inRepo.route.run(call)];
    }
    const found = this.#plain.find(about.method, path);
    if (found === undefined) throw notFound();
    checkWho(found.route.who, about.actor);
    const call = new Call({ ...about, params: found.params });
    return [call, await found.route.run(call)];
  }

  /** The repository of a path. A former name answers 301 to the /repositories/{id} form, when it may be seen. */
  #repository(
    params: Readonly<Record<string, string>>,
    path: string,
    actor: Actor,
    search: string,
  ): Repository {
    const id = params["repository_id"];
    if (id !== undefined) {
      const repo = this.#world.repositories.byId(Number(id));
      if (repo === undefined) throw notFound();
      return repo;
    }
    const name = `${params["owner"] ?? ""}/${params["repo"] ?? ""}`;
    const found = this.#world.repositories.byName(name);
    if (found.found === "here") return found.repo;
    if (found.found === "no") throw notFound();
    authorise(actor, found.repo, { needs: ["metadata:read"], role: "read" });
    const rest = path.split("/").slice(4).join("/");
    const to = `/repositories/${found.repo.id}${rest === "" ? "" : `/${rest}`}${search}`;
    throw movedPermanently(apiUrl(this.#world, to));
  }

  #asRefusal(error: unknown, what: string): Refusal {
    if (error instanceof Refusal) return error;
    // A defect of this server: GitHub's answer to its own is the same empty 500.
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#world.log(`500 ${what}: ${detail}`);
    return new Refusal(500, "Server Error");
  }

  #response(request: Request, reply: Reply, actor: Actor, format: string): Response {
    const headers = new Headers(
      commonHeaders(this.#world, request.headers.get("x-github-api-version"), format),
    );
    const limits = this.#meter.spend(this.#world, actor, 1);
    for (const [name, value] of Object.entries(limits)) headers.set(name, value);
    const response = respond(reply, request.method, request.headers.get("if-none-match"), headers);
    // GitHub docs: a 304 does not count against the primary rate limit.
    if (response.status === 304) {
      for (const [name, value] of Object.entries(this.#meter.spend(this.#world, actor, -1))) {
        response.headers.set(name, value);
      }
    }
    return response;
  }
}

function checkWho(who: PlainRoute["who"], actor: Actor): void {
  if (who === "anyone" || actor.kind === who) return;
  if (who === "app") throw new Refusal(401, "A JSON web token could not be decoded");
  if (actor.kind === "anonymous") throw requiresAuthentication();
  if (who === "installation") {
    throw new Refusal(
      403,
      "You must authenticate with an installation access token in order to use this endpoint.",
    );
  }
  if (actor.kind === "app") throw badCredentials();
  if (actor.kind === "installation") throw notByIntegration();
}

/** What a fault answers instead of the server, with nothing applied. */
function refusedBy(world: World, faults: readonly FaultKind[]): Reply | undefined {
  for (const fault of faults) {
    switch (fault.kind) {
      case "status":
        return {
          status: fault.status,
          headers: fault.headers ?? {},
          json: fault.body ?? { message: "Server Error" },
        };
      case "primary-limit": {
        const reset = String(Math.ceil(world.now() / 1000) + 60);
        const headers = { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset };
        return { ...refusalReply(new Refusal(403, "API rate limit exceeded for installation.")), headers };
      }
      case "secondary-limit": {
        const message =
          "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
        const headers: Record<string, string> =
          fault.retryAfter === undefined ? {} : { "Retry-After": String(fault.retryAfter) };
        return { ...refusalReply(new Refusal(403, message)), headers };
      }
      // What these do happens before or after the route.
      case "delay":
      case "lag":
      case "lost":
      case "lost-status":
        break;
    }
  }
  return undefined;
}

/** GitHub docs: requests without a User-Agent are refused. workerd sends none by itself. */
function noUserAgent(): Refusal {
  return new Refusal(
    403,
    "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.",
  );
}

function jsonOrText(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
