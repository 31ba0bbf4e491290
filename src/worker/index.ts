/** The Worker: the door for deliveries, and the names of everything it is made of. Nothing slow is awaited here. */
import { handleWebhook } from "./handle-webhook.ts";
import type { Env } from "./env.ts";
import { readSettings } from "./settings.ts";

export { Egress } from "./egress.ts";
export { RepoMethods } from "./repo-methods.ts";
export { TaskAgent } from "./task-agent.ts";
export { Verifier } from "./verifier.ts";

export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === "/webhook") return handleWebhook(request, env);
    if (pathname === "/health" && request.method === "GET") return health(env);
    return new Response("Not found\n", { status: 404 });
  },
} satisfies ExportedHandler<Env>;

/** Whether deliveries can be taken, and if not, what to mend. Says nothing that the App's public page does not. */
function health(env: Env): Response {
  const settings = readSettings(env);
  return settings.ok
    ? Response.json({ ok: true, app: settings.value.slug })
    : Response.json({ ok: false, ...settings.fault }, { status: 503 });
}
