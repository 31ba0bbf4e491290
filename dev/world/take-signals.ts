/**
 * Ends a program with its world, whatever ends it: Ctrl-C, `kill`, or a reader of its output that went away.
 *
 * Ctrl-C reaches the whole process group, and the program that started this one hands it on: a signal can come twice,
 * and the second must not end the process while it takes the world down. So the listeners stay, and do nothing more.
 */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What an interrupted program says of itself. */
export class Interrupted extends Error {
  /** Nobody reads any more: nothing is to be printed. */
  readonly quietly: boolean;

  constructor(why: string, quietly: boolean) {
    super(why);
    this.name = "Interrupted";
    this.quietly = quietly;
  }
}

/**
 * Call it once, before the world is started.
 * @returns a signal that is aborted, with an Interrupted, when the program is to end
 */
export function takeSignals(): AbortSignal {
  const stop = new AbortController();
  const listeners = SIGNALS.map((name) => ({
    name,
    listener: () => stop.abort(new Interrupted(`Interrupted by ${name}.`, false)),
  }));
  const claim = () => {
    for (const { name, listener } of listeners) {
      process.removeAllListeners(name);
      process.on(name, listener);
    }
  };
  claim();
  // miniflare listens too, from each start of workerd on, and ends the process on the spot, containers or not.
  process.on("newListener", (name, listener: unknown) => {
    const ours = listeners.find((one) => one.name === name);
    if (ours !== undefined && listener !== ours.listener) queueMicrotask(claim);
  });
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      stop.abort(new Interrupted("nobody reads the output", true));
    });
  }
  return stop.signal;
}

/** Rejects with why, once the program is to end. */
export function untilStopped(stop: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const leave = () => reject(stop.reason as Error);
    if (stop.aborted) leave();
    else stop.addEventListener("abort", leave, { once: true });
  });
}
