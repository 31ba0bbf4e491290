/** From a signed body to an event in our own words. */
import type { RepoEvent } from "../domain/event.ts";
import { fail, pass, type Result } from "../lib/result.ts";
import type { WebhookFault } from "./faults.ts";
import type { SignedDelivery } from "./open-delivery.ts";
import { Action, WINDOWS } from "./windows.ts";

/** An event that is none of ours. GitHub is told 202: it did nothing wrong, and a retry would change nothing. */
export type Unhandled = { readonly unhandled: string };

/** Read one delivery. The event's name is unsigned; the body has to have the shape that the name promises. */
export function readEvent(delivery: SignedDelivery): Result<RepoEvent | Unhandled, WebhookFault> {
  const parsed = parseJson(delivery.body);
  return parsed.ok ? readPayload(delivery, parsed.value) : parsed;
}

/** The same for a payload that is already parsed: what `npm run why` decides about without a signature. */
export function readPayload(
  { id, name }: Pick<SignedDelivery, "id" | "name">,
  payload: unknown,
): Result<RepoEvent | Unhandled, WebhookFault> {
  const action = Action.safeParse(payload);
  if (!action.success) return misfit(name, action.error.issues[0]?.path);
  const full = action.data.action === undefined ? name : `${name}.${action.data.action}`;
  if (!isHandled(full)) return pass({ unhandled: full });
  const event = WINDOWS[full].safeParse(payload);
  if (!event.success) return misfit(full, event.error.issues[0]?.path);
  return pass({ delivery: id, ...event.data });
}

function isHandled(name: string): name is RepoEvent["event"] {
  return Object.hasOwn(WINDOWS, name);
}

function parseJson(body: Uint8Array): Result<unknown, WebhookFault> {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return pass(value);
  } catch {
    return fail({ why: "not-json" });
  }
}

function misfit(event: string, path: readonly PropertyKey[] | undefined): Result<never, WebhookFault> {
  return fail({ why: "body-does-not-fit-event", event, key: path?.map(String).join(".") || "the body" });
}
