/** Waiting until a container's process listens. */
import { connect } from "node:net";

const PAUSE_MS = 15;
/** Below the two seconds that the harness's health check waits, so that the check gets an answer of its own. */
const MOST_MS = 1500;

/**
 * Resolve once something accepts connections on `port` of 127.0.0.1, after a second and a half, or when `over` says so.
 * The harness pauses longer after each failed check, so that a refusal while the daemon starts costs it half a second.
 */
export async function waitForPort(port: number, over: () => boolean): Promise<void> {
  const deadline = performance.now() + MOST_MS;
  while (!over() && performance.now() < deadline && !(await accepts(port))) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
