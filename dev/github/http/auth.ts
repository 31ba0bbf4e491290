/** Who makes a request: from an Authorization header to an actor. */
import type { Actor } from "../state/model.ts";
import type { World } from "../world.ts";
import { looksLikeJwt, verifyAppJwt } from "./jwt.ts";
import { Refusal, badCredentials } from "./refusal.ts";

/**
 * `token T`, `Bearer T` and Basic with the token as password (as git sends it) are taken. Throws 401 "Bad
 * credentials" for tokens that are unknown, revoked or expired, and 403 for a suspended installation.
 */
export function actorOf(world: World, authorization: string | null): Actor {
  if (authorization === null || authorization === "") return { kind: "anonymous" };
  const token = tokenIn(authorization);
  if (token === undefined) throw badCredentials();
  if (looksLikeJwt(token)) {
    verifyAppJwt(world, token);
    return { kind: "app" };
  }
  const installed = world.installations.byToken(token);
  if (installed !== undefined) {
    if (installed.installation.suspendedAt !== null) {
      throw new Refusal(403, "This installation has been suspended");
    }
    return { kind: "installation", token: installed, account: world.app.bot };
  }
  const account = world.accounts.byToken(token);
  if (account === undefined) throw badCredentials();
  return { kind: "user", account };
}

function tokenIn(authorization: string): string | undefined {
  const [scheme = "", value = ""] = authorization.trim().split(/\s+/, 2);
  switch (scheme.toLowerCase()) {
    case "token":
    case "bearer":
      return value;
    case "basic": {
      const [user = "", ...password] = Buffer.from(value, "base64").toString("utf8").split(":");
      return password.join(":") || user;
    }
    default:
      return undefined;
  }
}

/** The audit's words for an actor. */
export function actorName(world: World, actor: Actor): { kind: Actor["kind"]; login: string; id: number } {
  switch (actor.kind) {
    case "anonymous":
      return { kind: "anonymous", login: "", id: 0 };
    case "app":
      return { kind: "app", login: world.app.slug, id: world.app.id };
    case "user":
      return { kind: "user", login: actor.account.login, id: actor.account.id };
    case "installation":
      return { kind: "installation", login: actor.account.login, id: actor.token.installation.id };
  }
}
