/**
 * From the first byte of a delivery to the last of its answer, one after the other on a kept connection. The same
 * deliveries go to the peer in turn, so that what the machine does besides hits both.
 *
 * A delivery that is stored starts a request in the background: its one-turn answer is waited out before the next
 * delivery is sent, and what the App's own comments cause is not sent to it. So only the door is at work.
 */
import type { WorldRepository } from "../dev/world/start-world.ts";
import type { Bench } from "./context.ts";
import { taskOf } from "./mention.ts";
import { startPeer, type Peer } from "./peer.ts";
import { recordComments, startRecorder, type Comments, type Recorded } from "./recorded.ts";
import { ratioOf, statsOf, type Stats } from "./stats.ts";

/** Deliveries of each kind before the measure begins. */
const WARM_UP = 20;

/**
 * - `ignored`: the comment mentions nobody
 * - `stored`: it starts a request, in a Task that did not exist
 * - `duplicate`: the stored one, sent again while its Task is awake
 */
export const KINDS = ["ignored", "stored", "duplicate"] as const;
export type Kind = (typeof KINDS)[number];

export type Deliveries = {
  readonly worker: Readonly<Record<Kind, Stats>>;
  /** Stores nothing, so to it all kinds are one. */
  readonly peer: Readonly<Record<Kind, Stats>>;
  /** The Worker's median over the peer's. */
  readonly ratio: Readonly<Record<Kind, number>>;
  /** GET /health: the development proxy and workerd, with nothing read or verified. */
  readonly health: Stats;
};

type Taken = Record<Kind, number[]>;

/** @param count deliveries of each kind */
export async function measureDeliveries(
  bench: Bench,
  repository: WorldRepository,
  count: number,
): Promise<Deliveries> {
  const { world } = bench;
  const hook = `${world.worker.url}/webhook`;
  const recorder = await startRecorder();
  let peer: Peer | undefined;
  try {
    peer = await startPeer(world.secrets["GITHUB_WEBHOOK_SECRET"] ?? "");
    world.github.setWebhookUrl(recorder.url);
    const recorded = await recordComments(world, repository, recorder, WARM_UP + count);
    return await takeAll(bench, repository, recorded, { hook, peer: peer.url });
  } finally {
    world.github.setWebhookUrl(hook);
    await peer?.close();
    await recorder.close();
  }
}

async function takeAll(
  { world, log, stop }: Bench,
  repository: WorldRepository,
  { mentions, plain }: Comments,
  to: { readonly hook: string; readonly peer: string },
): Promise<Deliveries> {
  const worker: Taken = forEachKind(() => []);
  const beside: Taken = forEachKind(() => []);
  const health: number[] = [];
  const take = async (kind: Kind, delivery: Recorded) => {
    worker[kind].push(await post(to.hook, delivery, 202, ANSWERS[kind]));
    if (kind === "stored") await log.ended(taskOf(world, repository, delivery.issue), stop);
    await world.github.idle();
    beside[kind].push(await post(to.peer, delivery, 200, "ok"));
  };
  for (const [n, mention] of mentions.entries()) {
    stop.throwIfAborted();
    health.push(await timed(`${world.worker.url}/health`, {}, 200, '"ok":true'));
    await take("ignored", plain[n] ?? mention);
    await take("stored", mention);
    await take("duplicate", mention);
  }
  return summarise(worker, beside, health);
}

/** How the Worker's answer begins, by kind; see src/worker/handle-webhook.ts. */
const ANSWERS: Readonly<Record<Kind, string>> = {
  ignored: '{"ignored":"no-mention"',
  stored: '{"accepted":',
  duplicate: '{"duplicate":',
};

function post(url: string, { headers, body }: Recorded, status: number, answer: string): Promise<number> {
  return timed(url, { method: "POST", headers, body }, status, answer);
}

/** @throws Error for an answer that is not what is measured */
async function timed(url: string, init: RequestInit, status: number, answer: string): Promise<number> {
  const from = performance.now();
  const response = await fetch(url, init);
  const text = await response.text();
  const ms = performance.now() - from;
  if (response.status === status && text.includes(answer)) return ms;
  throw new Error(`${url} answered ${response.status} ${text.slice(0, 200)}, not ${status} ${answer}`);
}

function summarise(worker: Taken, beside: Taken, health: readonly number[]): Deliveries {
  const ours = forEachKind((kind) => settled(worker[kind]));
  const theirs = forEachKind((kind) => settled(beside[kind]));
  return {
    worker: ours,
    peer: theirs,
    ratio: forEachKind((kind) => ratioOf(ours[kind].median, theirs[kind].median)),
    health: settled(health),
  };
}

function settled(values: readonly number[]): Stats {
  return statsOf(values.slice(WARM_UP));
}

function forEachKind<T>(of: (kind: Kind) => T): Record<Kind, T> {
  return { ignored: of("ignored"), stored: of("stored"), duplicate: of("duplicate") };
}
