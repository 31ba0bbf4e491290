/** Server-sent events as both providers write them, and the ways in which such a stream can go wrong. */
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/** One event: `event: TYPE`, then `data:` with the type in the JSON too. */
export type StreamEvent = { readonly type: string; readonly [field: string]: unknown };

type StreamOrder = {
  readonly events: readonly StreamEvent[];
  /** How long to be still after the first event, in milliseconds. */
  readonly silenceMs: number;
  /** `cut` drops the connection half way; `error-event` sends `errorEvent` there and ends the stream in good form. */
  readonly breakage: "cut" | "error-event" | undefined;
  readonly errorEvent: StreamEvent;
};

/** Resolves when the stream is over, whichever way; a client that went away ends it quietly. */
export async function sendStream(response: ServerResponse, order: StreamOrder): Promise<void> {
  response.setHeader("content-type", "text/event-stream; charset=utf-8");
  response.setHeader("cache-control", "no-cache");
  const { events, breakage } = order;
  const sent = breakage === undefined ? events : events.slice(0, Math.ceil(events.length / 2));
  for (const [index, event] of sent.entries()) {
    response.write(spell(event));
    if (index === 0) await pause(order.silenceMs, response);
    if (response.destroyed) return;
  }
  if (breakage === "cut") return cut(response);
  if (breakage === "error-event") response.write(spell(order.errorEvent));
  response.end();
}

/** Half of an answer that promised to be whole, and then the connection is dropped. */
export async function cutJson(response: ServerResponse, body: unknown): Promise<void> {
  const whole = Buffer.from(JSON.stringify(body));
  response.writeHead(200, { "content-type": "application/json", "content-length": whole.length });
  response.write(whole.subarray(0, whole.length / 2));
  return cut(response);
}

/** Sends what has been written so far and drops the connection without the end a client waits for. */
async function cut(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => response.write("", () => resolve()));
  response.destroy();
}

/** Waits, but no longer than the connection lives. */
export async function pause(ms: number, response: ServerResponse): Promise<void> {
  if (ms <= 0 || response.destroyed) return;
  const gone = new AbortController();
  const leave = () => gone.abort();
  response.once("close", leave);
  await sleep(ms, undefined, { signal: gone.signal }).catch(() => undefined);
  response.off("close", leave);
}

/** Cuts a text into the pieces of a stream, never inside a character. */
export function pieces(text: string, length: number): string[] {
  const characters = Array.from(text);
  const cutUp: string[] = [];
  for (let at = 0; at < characters.length; at += length)
    cutUp.push(characters.slice(at, at + length).join(""));
  return cutUp;
}

function spell(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
