/**
 * An adapter around the agent's own. Each operation's text is an `AgentOrder`: first the workspace is made to hold the
 * order's commit, then the agent gets the prompt alone. So a container that replaced a lost one is filled again with no
 * help from outside, and a follow-up finds its files as it left them.
 *
 * It refuses to run the agent on anything but a finished checkout, and leaves nothing of a turn running behind it.
 */
import type { cliAdapter } from "agents/harness/container/runtime";
import type { AgentOrder, Checkout } from "../../src/domain/container-protocol.ts";
import { currentBase } from "../tool/base.ts";
import { checkOut } from "../tool/checkout.ts";
import { faultOf } from "../tool/faults.ts";
import type { Places } from "../tool/places.ts";
import type { FreshStart } from "./fresh-start.ts";
import { readOrder } from "./order.ts";

export type Adapter = ReturnType<typeof cliAdapter>;
type Context = Parameters<Adapter["open"]>[0];
type Session = Awaited<ReturnType<Adapter["open"]>>;
type Turn = Parameters<Session["run"]>[0];
type Outcome = Awaited<ReturnType<Session["run"]>>;

export type Surroundings = {
  readonly places: Places;
  /** End whatever turns left running; returns how many processes that were. */
  readonly sweep: () => number;
  /**
   * How long an aborted turn may take to end by itself, in milliseconds. The harness kills the CLI after five seconds,
   * but takes the turn for ended only when nothing holds the CLI's output open any more.
   */
  readonly abortMs: number;
  /** Whether an outcome says that the agent has lost its conversation; the turn is then run once more, anew. */
  readonly isLost: FreshStart["isLost"];
};

/** Wrap `inner` so that it takes orders. */
export function orderedAdapter(inner: Adapter, surroundings: Surroundings): Adapter {
  const desk = { running: 0, checkouts: Promise.resolve() };
  const sweep = (context: Context): void => {
    const ended = surroundings.sweep();
    if (ended > 0) context.log("warn", JSON.stringify({ step: "sweep", ended }));
  };
  return {
    ...inner,
    async open(context) {
      const session = await inner.open(context);
      return {
        ...(session.configure ? { configure: session.configure.bind(session) } : {}),
        close: () => session.close(),
        async run(turn) {
          desk.running += 1;
          let timer: NodeJS.Timeout | undefined;
          turn.signal.addEventListener("abort", () => {
            timer = setTimeout(() => (desk.running === 1 ? sweep(context) : undefined), surroundings.abortMs);
          });
          try {
            const order = await prepared(turn, context, (checkout) => {
              // One after the other: an aborted turn's checkout may still be on its way.
              const ready = desk.checkouts.then(() => fill(surroundings.places, checkout, context));
              desk.checkouts = ready.catch(() => undefined);
              return ready;
            });
            if ("status" in order) return order;
            const outcome = await session.run({ ...turn, input: order.prompt });
            if (!surroundings.isLost(outcome)) return outcome;
            context.log("warn", JSON.stringify({ step: "resume", lost: true }));
            return await session.run({ ...turn, input: order.prompt });
          } finally {
            clearTimeout(timer);
            desk.running -= 1;
            if (desk.running === 0) sweep(context);
          }
        },
      };
    },
  };
}

/** Read the turn's order and have its checkout made; or how the turn ends instead. */
async function prepared(
  turn: Turn,
  context: Context,
  ready: (checkout: Checkout) => Promise<void>,
): Promise<AgentOrder | Outcome> {
  let order: AgentOrder;
  try {
    order = readOrder(textOf(turn.input));
  } catch (thrown) {
    return unanswered("order", thrown);
  }
  try {
    const aborted = new Promise<void>((resolve) =>
      turn.signal.addEventListener("abort", () => resolve(), { once: true }),
    );
    await Promise.race([ready(order.checkout), aborted]);
    return turn.signal.aborted ? { status: "unanswered", reason: "aborted" } : order;
  } catch (thrown) {
    context.log("error", JSON.stringify({ step: "checkout", error: String(thrown) }));
    return unanswered("checkout", thrown);
  }
}

/** Make the workspace hold the order's commit. One that was filled from it already is left as the agent made it. */
async function fill(places: Places, checkout: Checkout, context: Context): Promise<void> {
  const { commit } = checkout;
  if (currentBase(places)?.commit === commit) {
    context.log("info", JSON.stringify({ step: "checkout", commit, kept: true }));
    return;
  }
  const done = await checkOut(places, checkout);
  context.log("info", JSON.stringify({ step: "checkout", ...done }));
}

/** "STEP: WHY: detail", the words the Worker shows. A defect of ours settles the operation too; it never hangs. */
function unanswered(step: string, thrown: unknown): Outcome {
  const fault = faultOf(thrown) ?? { why: "defect", detail: String(thrown) };
  return { status: "unanswered", reason: `${step}: ${fault.why}: ${fault.detail}` };
}

function textOf(input: Turn["input"]): string {
  if (typeof input === "string") return input;
  return input.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
