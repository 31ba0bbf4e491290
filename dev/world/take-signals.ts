/**
 * Ends a program with its world. Wrangler's workerd library listens for signals too and ends the process on the spot,
 * which would leave containers running: its listeners are taken off, so call this after the world has started.
 */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.removeAllListeners(signal);
      process.once(signal, () => resolve());
    }
  });
}
