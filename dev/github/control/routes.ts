/**
 * The control API under /_world, for other processes of the same test: audit, faults, deliveries, state, and the few
 * acts GitHub offers on its pages only. No authentication: the server listens on loopback.
 */
import { Hono } from "hono";
import { z } from "zod";
import { deleteIssue } from "../acts/issues.ts";
import { setDraft } from "../acts/pulls.ts";
import { requestAction } from "../acts/checks.ts";
import type { Fault, FaultKind } from "../options.ts";
import type { Account, Repository } from "../state/model.ts";
import { isPull } from "../state/model.ts";
import { viewOf } from "../state/view.ts";
import { emitPing } from "../webhooks/emit.ts";
import type { World } from "../world.ts";

const Kind = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("status"),
    status: z.number().int(),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.unknown().optional(),
  }),
  z.object({ kind: z.literal("lost") }),
  z.object({ kind: z.literal("lost-status"), status: z.number().int() }),
  z.object({ kind: z.literal("delay"), ms: z.number() }),
  z.object({ kind: z.literal("lag"), ms: z.number() }),
  z.object({ kind: z.literal("primary-limit") }),
  z.object({ kind: z.literal("secondary-limit"), retryAfter: z.number().optional() }),
]);
/** As options.ts `Fault`, with the path as a regular expression's source. */
const FaultBody = z.object({
  match: z.object({ method: z.string().optional(), path: z.string().optional() }).default({}),
  times: z.number().int().optional(),
  kind: Kind,
});
const By = z.object({ login: z.string() });

export function controlRoutes(world: World): Hono {
  const app = new Hono();
  app.get("/audit", (c) => c.json(world.audit.entries));
  app.delete("/audit", (c) => {
    world.audit.clear();
    return c.body(null, 204);
  });
  app.post("/faults", async (c) => {
    const fault = FaultBody.safeParse(await c.req.json());
    if (!fault.success) return c.json({ message: z.prettifyError(fault.error) }, 422);
    world.faults.add(faultFrom(fault.data));
    return c.body(null, 204);
  });
  app.delete("/faults", (c) => {
    world.faults.clear();
    return c.body(null, 204);
  });
  app.get("/deliveries", (c) => c.json(world.hook.deliveries()));
  app.post("/ping", (c) => {
    emitPing(world);
    return c.body(null, 204);
  });
  app.get("/state", async (c) => c.json(await Promise.all(world.repositories.all().map(viewOf))));
  app.get("/state/:owner/:repo", async (c) => {
    const repo = repositoryOf(world, c.req.param("owner"), c.req.param("repo"));
    return repo === undefined ? c.notFound() : c.json(await viewOf(repo));
  });
  app.post("/acts/:owner/:repo/:act/:id{[0-9]+}", async (c) => {
    const repo = repositoryOf(world, c.req.param("owner"), c.req.param("repo"));
    const body: unknown = await c.req.json();
    const by = By.safeParse(body);
    const account = by.success ? world.accounts.find(by.data.login) : undefined;
    if (repo === undefined || account === undefined) return c.notFound();
    return act(world, repo, account, c.req.param("act"), Number(c.req.param("id")), body)
      ? c.body(null, 204)
      : c.notFound();
  });
  return app;
}

/** draft, ready, delete-issue (by number) and request-action (by check run id). False when there is no such thing. */
function act(
  world: World,
  repo: Repository,
  account: Account,
  name: string,
  id: number,
  body: unknown,
): boolean {
  const by = { account, viaApp: false };
  const issue = repo.issues.get(id);
  switch (name) {
    case "draft":
    case "ready":
      if (issue === undefined || !isPull(issue)) return false;
      setDraft(world, repo, issue, by, name === "draft");
      return true;
    case "delete-issue":
      if (issue === undefined || isPull(issue)) return false;
      deleteIssue(world, repo, issue, by);
      return true;
    case "request-action": {
      const run = repo.checkRuns.get(id);
      const action = z.object({ identifier: z.string() }).safeParse(body);
      if (run === undefined || !action.success) return false;
      requestAction(world, repo, by, run, action.data.identifier);
      return true;
    }
    default:
      return false;
  }
}

function repositoryOf(world: World, owner: string, name: string): Repository | undefined {
  const found = world.repositories.byName(`${owner}/${name}`);
  return found.found === "no" ? undefined : found.repo;
}

function faultFrom(body: z.output<typeof FaultBody>): Fault {
  const { method, path } = body.match;
  return {
    match: {
      ...(method === undefined ? {} : { method }),
      ...(path === undefined ? {} : { path: new RegExp(path) }),
    },
    ...(body.times === undefined ? {} : { times: body.times }),
    kind: kindFrom(body.kind),
  };
}

function kindFrom(kind: z.output<typeof Kind>): FaultKind {
  if (kind.kind !== "secondary-limit") return kind;
  return kind.retryAfter === undefined
    ? { kind: "secondary-limit" }
    : { ...kind, retryAfter: kind.retryAfter };
}
