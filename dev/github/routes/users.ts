/** Accounts. */
import { ok } from "../http/call.ts";
import { notByIntegration, notFound } from "../http/refusal.ts";
import { plain } from "../http/route.ts";
import type { PlainRoute } from "../http/route.ts";
import { appShape } from "../shapes/app.ts";
import { publicUserShape } from "../shapes/user.ts";

export const userRoutes: readonly PlainRoute[] = [
  plain("GET", "/user", "signed-in", (call) => {
    // An installation token is nobody's: GitHub refuses it here.
    if (call.actor.kind !== "user") throw notByIntegration();
    return ok(publicUserShape(call.world, call.actor.account));
  }),
  plain("GET", "/users/:login", "anyone", (call) => {
    const account = call.world.accounts.find(call.param("login"));
    if (account === undefined) throw notFound();
    return ok(publicUserShape(call.world, account));
  }),
  plain("GET", "/apps/:slug", "anyone", (call) => {
    if (call.param("slug") !== call.world.app.slug) throw notFound();
    return ok(appShape(call.world));
  }),
];
