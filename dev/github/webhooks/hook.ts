/**
 * The App's webhook: signs, sends and remembers deliveries. Sends at once and side by side, as GitHub does: nobody
 * waits for a receiver, and a failed delivery is recorded and never sent again by itself.
 */
import { createHmac, randomUUID } from "node:crypto";
import type { AppOptions, Delivery, DeliveryAttempt } from "../options.ts";
import type { Ids } from "../state/ids.ts";

/** GitHub: a receiver has ten seconds. */
const ANSWER_WITHIN_MS = 10_000;

/** GitHub: no webhook is sent for a payload above 25 MB. */
const LARGEST_PAYLOAD_BYTES = 25 * 1024 * 1024;

/** The id of the App's one hook. */
export const HOOK_ID = 4_200_001;

export type Attempt = DeliveryAttempt & {
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
};

export type SentDelivery = {
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  /** The exact bytes sent, each time. */
  readonly body: string;
  readonly attempts: Attempt[];
};

type Outgoing = Pick<SentDelivery, "event" | "action" | "installationId" | "repositoryId"> & {
  readonly payload: unknown;
};

export class Hook {
  readonly #ids: Ids;
  readonly #now: () => number;
  readonly #log: (line: string) => void;
  readonly #app: AppOptions;
  readonly #sent: SentDelivery[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  /** Undefined: deliveries are not made at all, as with an inactive hook. */
  url: string | undefined;

  constructor(parts: { ids: Ids; now: () => number; log: (line: string) => void; app: AppOptions }) {
    this.#ids = parts.ids;
    this.#now = parts.now;
    this.#log = parts.log;
    this.#app = parts.app;
    this.url = parts.app.webhookUrl;
  }

  send(outgoing: Outgoing): void {
    if (this.url === undefined) return;
    const { payload, ...about } = outgoing;
    const body = JSON.stringify(payload);
    if (Buffer.byteLength(body) > LARGEST_PAYLOAD_BYTES) return;
    const delivery: SentDelivery = { guid: randomUUID(), ...about, body, attempts: [] };
    this.#sent.push(delivery);
    void this.#track(this.#attempt(delivery, false));
  }

  /** Sends the same bytes under the same GUID again; resolves when it was answered. False for an unknown one. */
  async redeliver(match: (delivery: SentDelivery) => boolean): Promise<boolean> {
    const delivery = this.#sent.find(match);
    if (delivery === undefined) return false;
    await this.#track(this.#attempt(delivery, true));
    return true;
  }

  /** Resolves when nothing is in flight, also counting what starts meanwhile. */
  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  get sent(): readonly SentDelivery[] {
    return this.#sent;
  }

  deliveries(): readonly Delivery[] {
    return this.#sent.map((delivery) => {
      const last = delivery.attempts.at(-1);
      return {
        guid: delivery.guid,
        event: delivery.event,
        action: delivery.action,
        payload: JSON.parse(delivery.body) as unknown,
        statusCode: last?.statusCode ?? 0,
        response: last?.response ?? "",
        duration: last?.duration ?? 0,
        attempts: [...delivery.attempts],
      };
    });
  }

  /** Gives up on what is in flight and sends nothing more. */
  async close(): Promise<void> {
    this.url = undefined;
    this.#stop.abort();
    await this.idle();
  }

  #track(work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => this.#inFlight.delete(tracked));
    this.#inFlight.add(tracked);
    return tracked;
  }

  async #attempt(delivery: SentDelivery, redelivery: boolean): Promise<void> {
    const url = this.url;
    if (url === undefined) return;
    const requestHeaders = this.#headers(delivery);
    const id = this.#ids.next("delivery");
    const deliveredAt = new Date(this.#now()).toISOString();
    const began = performance.now();
    const outcome = await this.#post(url, requestHeaders, delivery.body);
    const duration = Math.round(performance.now() - began) / 1000;
    delivery.attempts.push({ id, deliveredAt, redelivery, duration, requestHeaders, ...outcome });
    this.#log(`delivery ${delivery.event}.${delivery.action ?? ""} ${delivery.guid}: ${outcome.status}`);
  }

  async #post(
    url: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<Pick<Attempt, "status" | "statusCode" | "response" | "responseHeaders">> {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    try {
      const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
      const response = await answer.text();
      return {
        status: answer.ok ? "OK" : `Invalid HTTP Response: ${answer.status}`,
        statusCode: answer.status,
        response,
        responseHeaders: Object.fromEntries(answer.headers),
      };
    } catch (error) {
      const timedOut = error instanceof Error && error.name === "TimeoutError";
      const status = timedOut ? "timed out" : "failed to connect to host";
      return { status, statusCode: 0, response: "", responseHeaders: {} };
    }
  }

  #headers(delivery: SentDelivery): Record<string, string> {
    const mac = (hash: string) =>
      createHmac(hash, this.#app.webhookSecret).update(delivery.body, "utf8").digest("hex");
    return {
      Accept: "*/*",
      "Content-Type": "application/json",
      "User-Agent": "GitHub-Hookshot/10ca1e5",
      "X-GitHub-Delivery": delivery.guid,
      "X-GitHub-Event": delivery.event,
      "X-GitHub-Hook-ID": String(HOOK_ID),
      "X-GitHub-Hook-Installation-Target-ID": String(this.#app.id),
      "X-GitHub-Hook-Installation-Target-Type": "integration",
      "X-Hub-Signature": `sha1=${mac("sha1")}`,
      "X-Hub-Signature-256": `sha256=${mac("sha256")}`,
    };
  }
}
