/**
 * One delivery, from the request to GitHub's answer: verify, decide, store, 202. A 2xx is a promise that the Task's
 * storage holds it; GitHub does not send again what was answered 2xx, and does not by itself send again anything.
 */
import { isPlatformTransientError } from "agents";
import type { Decision } from "../domain/decision.ts";
import type { RepoEvent } from "../domain/event.ts";
import { messageOf } from "../lib/errors.ts";
import { createLog, type Log } from "../lib/log.ts";
import { decide } from "../triggers/decide.ts";
import { publicStatus, publicText, type WebhookFault } from "../webhooks/faults.ts";
import { openDelivery } from "../webhooks/open-delivery.ts";
import { readEvent } from "../webhooks/read-event.ts";
import type { Accepted } from "../task/store.ts";
import type { Env } from "./env.ts";
import { readSettings, type Settings } from "./settings.ts";
import { taskName } from "./task-name.ts";

export async function handleWebhook(request: Request, env: Env): Promise<Response> {
  const settings = readSettings(env);
  if (!settings.ok) {
    const fault = { why: "not-configured", ...settings.fault } as const;
    createLog([]).error("webhook.refused", { why: fault.why, setting: fault.setting });
    return turnAway(fault);
  }
  const log = createLog(settings.value.secrets);
  const delivery = await openDelivery(request, settings.value.webhookSecrets);
  if (!delivery.ok) return refuse(delivery.fault, log);
  const event = readEvent(delivery.value);
  if (!event.ok) return refuse(event.fault, log);
  const about = { delivery: delivery.value.id, name: delivery.value.name };
  if ("unhandled" in event.value) {
    log.info("webhook.ignored", { ...about, because: "event-not-handled" });
    return accepted("ignored", "event-not-handled");
  }
  const decision = decide(event.value, settings.value);
  if (!decision.act) {
    log.info("webhook.ignored", { ...about, because: decision.because });
    return accepted("ignored", decision.because);
  }
  const stored = await store(event.value, decision, env, settings.value, log);
  if (stored === undefined) return refuse({ why: "not-stored" }, log);
  log.info("webhook.accepted", { ...about, request: stored.request, new: stored.accepted });
  return accepted(stored.accepted ? "accepted" : "duplicate", stored.request);
}

async function store(
  event: RepoEvent,
  decision: Extract<Decision, { act: true }>,
  env: Env,
  settings: Settings,
  log: Log,
): Promise<Accepted | undefined> {
  const name = taskName(settings.host, event);
  for (let attempt = 1; attempt <= 2; attempt++) {
    try {
      // A stub is broken after an exception, so each try takes a new one. Accepting twice is accepting once.
      return await env.TASK.getByName(name).accept(event, decision);
    } catch (thrown) {
      log.error("webhook.store-failed", { task: name, attempt, error: messageOf(thrown) });
      if (!isPlatformTransientError(thrown)) return undefined;
    }
  }
  return undefined;
}

function accepted(outcome: "accepted" | "duplicate" | "ignored", what: string): Response {
  return Response.json({ [outcome]: what }, { status: 202 });
}

function refuse(fault: WebhookFault, log: Log): Response {
  const status = publicStatus(fault);
  if (status >= 500) log.error("webhook.refused", { why: fault.why });
  else log.info("webhook.refused", { why: fault.why });
  return turnAway(fault);
}

function turnAway(fault: WebhookFault): Response {
  const status = publicStatus(fault);
  const headers = status === 405 ? { allow: "POST" } : undefined;
  return Response.json(
    { refused: fault.why, mend: publicText(fault) },
    { status, ...(headers && { headers }) },
  );
}
