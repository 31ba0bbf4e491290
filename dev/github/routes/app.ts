/** The App seen by itself: who it is, where it is installed, tokens. */
import { generateKeyPairSync } from "node:crypto";
import { z } from "zod";
import { covers } from "../http/access.ts";
import { created, noContent, ok } from "../http/call.ts";
import type { Call } from "../http/call.ts";
import { listReply } from "../http/paging.ts";
import { Refusal, notFound, unprocessable } from "../http/refusal.ts";
import { plain } from "../http/route.ts";
import type { PlainRoute } from "../http/route.ts";
import { deleteInstallation, installOn, suspendInstallation, uninstallFrom } from "../acts/installations.ts";
import { appShape, installationShape, tokenShape } from "../shapes/app.ts";
import { repositoryShape } from "../shapes/repository.ts";
import { roleOf } from "../state/repositories.ts";
import type { Account, Grants, Installation, Level, Repository } from "../state/model.ts";

const TokenOrder = z.object({
  repositories: z.array(z.string()).optional(),
  repository_ids: z.array(z.number().int()).optional(),
  permissions: z.record(z.string(), z.enum(["read", "write"])).optional(),
});

/** GitHub docs: a token can be narrowed to at most 500 repositories. */
const MOST_REPOSITORIES = 500;

function installationOf(call: Call): Installation {
  const installation = call.world.installations.byId(call.number("id"));
  if (installation === undefined) throw notFound();
  return installation;
}

function ofAccount(call: Call, type: Account["type"]): Installation {
  const account = call.world.accounts.find(call.param("login"));
  const found = account?.type === type ? call.world.installations.ofAccount(account) : undefined;
  if (found === undefined) throw notFound();
  return found;
}

export const appRoutes: readonly PlainRoute[] = [
  plain("GET", "/app", "app", (call) =>
    ok({ ...appShape(call.world), installations_count: call.world.installations.all().length }),
  ),
  plain("GET", "/app/installations", "app", (call) =>
    listReply(call, call.world.installations.all(), (one) => installationShape(call.world, one)),
  ),
  plain("GET", "/app/installations/:id#", "app", (call) =>
    ok(installationShape(call.world, installationOf(call))),
  ),
  plain("DELETE", "/app/installations/:id#", "app", (call) => {
    deleteInstallation(call.world, installationOf(call), { account: call.world.app.owner, viaApp: false });
    return noContent();
  }),
  plain("PUT", "/app/installations/:id#/suspended", "app", (call) => suspend(call, true)),
  plain("DELETE", "/app/installations/:id#/suspended", "app", (call) => suspend(call, false)),
  plain("GET", "/repos/:owner/:repo/installation", "app", (call) => {
    const found = call.world.repositories.byName(`${call.param("owner")}/${call.param("repo")}`);
    return ofRepository(call, found.found === "no" ? undefined : found.repo);
  }),
  plain("GET", "/repositories/:id#/installation", "app", (call) =>
    ofRepository(call, call.world.repositories.byId(call.number("id"))),
  ),
  plain("GET", "/users/:login/installation", "app", (call) =>
    ok(installationShape(call.world, ofAccount(call, "User"))),
  ),
  plain("GET", "/orgs/:login/installation", "app", (call) =>
    ok(installationShape(call.world, ofAccount(call, "Organization"))),
  ),
  plain("POST", "/app-manifests/:code/conversions", "anyone", convertManifest),
  plain("POST", "/app/installations/:id#/access_tokens", "app", issueToken),
  plain("PUT", "/user/installations/:id#/repositories/:repository#", "signed-in", (call) => {
    const { installation, repo, by } = administered(call);
    installOn(call.world, installation.account, [repo], by);
    return noContent();
  }),
  plain("DELETE", "/user/installations/:id#/repositories/:repository#", "signed-in", (call) => {
    const { installation, repo, by } = administered(call);
    uninstallFrom(call.world, installation, [repo], by);
    return noContent();
  }),
  plain("DELETE", "/installation/token", "installation", (call) => {
    if (call.actor.kind === "installation") call.world.installations.revoke(call.actor.token);
    return noContent();
  }),
  plain("GET", "/installation/repositories", "installation", (call) => {
    const { actor, world } = call;
    if (actor.kind !== "installation") throw notFound();
    const repos = world.repositories.all().filter((repo) => covers(actor, repo));
    return listReply(
      call,
      repos,
      (repo) => repositoryShape(world, repo),
      (list, total) => ({ total_count: total, repository_selection: "selected", repositories: list }),
    );
  }),
];

/** Private repositories too: the App may always ask where it is installed. */
function ofRepository(call: Call, repo: Repository | undefined) {
  const installation = repo === undefined ? undefined : call.world.installations.of(repo);
  if (installation === undefined) throw notFound();
  return ok(installationShape(call.world, installation));
}

/** A repository an administrator adds to, or takes out of, an installation of its owner. */
function administered(call: Call) {
  const installation = installationOf(call);
  const repo = call.world.repositories.byId(call.number("repository"));
  if (call.actor.kind !== "user" || repo === undefined || repo.owner !== installation.account)
    throw notFound();
  if (roleOf(repo, call.actor.account) !== "admin") throw notFound();
  return { installation, repo, by: call.author };
}

function suspend(call: Call, suspended: boolean) {
  const by = { account: call.world.app.owner, viaApp: false };
  suspendInstallation(call.world, installationOf(call), by, suspended);
  return noContent();
}

/** The last step of the manifest flow: a code, good once, for the App and a key this server takes from then on. */
function convertManifest(call: Call) {
  const { app } = call.world;
  const code = call.param("code");
  if (app.usedCodes.has(code)) throw notFound();
  app.usedCodes.add(code);
  const keys = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    // GitHub hands keys out as PKCS#1, which WebCrypto does not read.
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  app.publicKeys.push(keys.publicKey);
  return created({
    ...appShape(call.world),
    client_secret: call.world.sign(`client secret ${code}`).slice(0, 40),
    webhook_secret: app.webhookSecret,
    pem: keys.privateKey,
  });
}

/** POST /app/installations/{installation_id}/access_tokens. */
function issueToken(call: Call) {
  const installation = installationOf(call);
  if (installation.suspendedAt !== null) throw new Refusal(403, "This installation has been suspended");
  const order = call.body(TokenOrder);
  const classic = call.headers.get("x-github-stateless-s2s-token")?.toLowerCase() === "disabled";
  const token = call.world.installations.issueToken(
    installation,
    narrowedGrants(call, order.permissions),
    narrowedRepositories(call, installation, order),
    classic ? "classic" : "long",
  );
  call.wrote("token", installation.id);
  return created(tokenShape(call.world, token));
}

/** What was asked for, never more than the App has; metadata:read always comes along. */
function narrowedGrants(call: Call, asked: Record<string, Level> | undefined): Grants {
  const held: Grants = { metadata: "read", ...call.world.app.permissions };
  if (asked === undefined) return held;
  for (const [name, level] of Object.entries(asked)) {
    const have = held[name];
    if (have === "write" || have === level) continue;
    throw unprocessable("The permissions requested are not granted to this installation.");
  }
  return { metadata: "read", ...asked };
}

function narrowedRepositories(
  call: Call,
  installation: Installation,
  order: z.output<typeof TokenOrder>,
): ReadonlySet<number> | undefined {
  if (order.repositories === undefined && order.repository_ids === undefined) return undefined;
  const named = (order.repositories ?? []).map((name) => {
    const found = call.world.repositories.byName(`${installation.account.login}/${name}`);
    return found.found === "here" ? found.repo.id : -1;
  });
  const ids = new Set([...named, ...(order.repository_ids ?? [])]);
  if (ids.size > MOST_REPOSITORIES) throw unprocessable("Too many repositories were requested.");
  if ([...ids].some((id) => !installation.repositoryIds.has(id))) {
    throw unprocessable(
      "There is at least one repository that does not exist or is not accessible to the parent installation.",
    );
  }
  return ids;
}
