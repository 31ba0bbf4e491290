/** The App's hook and its deliveries, as the App itself may read and repeat them. */
import { z } from "zod";
import { ok } from "../http/call.ts";
import type { Call } from "../http/call.ts";
import { pageOf } from "../http/paging.ts";
import { notFound } from "../http/refusal.ts";
import { plain } from "../http/route.ts";
import type { PlainRoute } from "../http/route.ts";
import type { Attempt, SentDelivery } from "../webhooks/hook.ts";

const Config = z.object({ url: z.string().optional() });

/** GitHub docs: deliveries of the last three days can be listed and redelivered. */
const KEPT_MS = 3 * 24 * 60 * 60 * 1000;

type Row = { readonly delivery: SentDelivery; readonly attempt: Attempt };

export const hookRoutes: readonly PlainRoute[] = [
  plain("GET", "/app/hook/config", "app", (call) => ok(config(call))),
  plain("PATCH", "/app/hook/config", "app", (call) => {
    const { url } = call.body(Config);
    if (url !== undefined) call.world.hook.url = url;
    return ok(config(call));
  }),
  plain("GET", "/app/hook/deliveries", "app", listDeliveries),
  plain("GET", "/app/hook/deliveries/:id#", "app", (call) => ok(full(call, rowOf(call)))),
  plain("POST", "/app/hook/deliveries/:id#/attempts", "app", (call) => {
    const { delivery } = rowOf(call);
    call.wrote("delivery-attempt", delivery.guid);
    void call.world.hook.redeliver((one) => one === delivery);
    return { status: 202, json: {} };
  }),
];

function config(call: Call): object {
  return { url: call.world.hook.url ?? "", content_type: "json", insecure_ssl: "0", secret: "********" };
}

/** Every attempt is a delivery of its own here: redeliveries share the GUID, not the id. Newest first. */
function rows(call: Call): Row[] {
  const oldest = call.world.now() - KEPT_MS;
  return call.world.hook.sent
    .flatMap((delivery) => delivery.attempts.map((attempt) => ({ delivery, attempt })))
    .filter((row) => Date.parse(row.attempt.deliveredAt) >= oldest)
    .sort((a, b) => b.attempt.id - a.attempt.id);
}

function rowOf(call: Call): Row {
  const found = rows(call).find((row) => row.attempt.id === call.number("id"));
  if (found === undefined) throw notFound();
  return found;
}

/**
 * GET /app/hook/deliveries: pages by cursor, not by number. `status=failure` means an answer of 400 to 599, so what
 * timed out or could not be connected is neither success nor failure there.
 */
function listDeliveries(call: Call) {
  const status = call.query("status");
  const found = rows(call).filter(({ attempt: { statusCode: code } }) => {
    if (status === "success") return code >= 200 && code < 400;
    if (status === "failure") return code >= 400 && code < 600;
    return true;
  });
  const { perPage } = pageOf(call);
  const cursor = Number((call.query("cursor") ?? "").replace(/^v1_/, ""));
  const from = cursor > 0 ? found.filter((row) => row.attempt.id <= cursor) : found;
  const next = from[perPage];
  const json = from.slice(0, perPage).map(summary);
  if (next === undefined) return ok(json);
  const url = new URL(call.world.url + call.url.pathname + call.url.search);
  url.searchParams.set("cursor", `v1_${next.attempt.id}`);
  return ok(json, { Link: `<${url.href}>; rel="next"` });
}

/** `hook-delivery-item`. */
function summary({ delivery, attempt }: Row) {
  return {
    id: attempt.id,
    guid: delivery.guid,
    delivered_at: attempt.deliveredAt,
    redelivery: attempt.redelivery,
    duration: attempt.duration,
    status: attempt.status,
    status_code: attempt.statusCode,
    event: delivery.event,
    action: delivery.action,
    installation_id: delivery.installationId,
    repository_id: delivery.repositoryId,
    throttled_at: null,
  };
}

/** `hook-delivery`. */
function full(call: Call, row: Row): object {
  const { delivery, attempt } = row;
  return {
    ...summary(row),
    url: call.world.hook.url ?? "",
    request: { headers: attempt.requestHeaders, payload: JSON.parse(delivery.body) as unknown },
    response: { headers: attempt.responseHeaders, payload: attempt.response },
  };
}
