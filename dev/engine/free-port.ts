/** A port that nothing listens on now. */
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/**
 * Ask the system for a free port on 127.0.0.1 and give it back. Another process may take it before it is used; the
 * container then ends at its start, and the harness starts another.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
