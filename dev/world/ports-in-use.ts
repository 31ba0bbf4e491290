/** Which of some ports somebody listens on. */
import { createServer } from "node:net";

/** Asked by trying, so another program may still take one before it is used. @returns those in use, on 127.0.0.1 */
export async function portsInUse(ports: readonly number[]): Promise<readonly number[]> {
  const taken = await Promise.all(ports.map(isTaken));
  return ports.filter((_, index) => taken[index]);
}

function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(true);
      else reject(new Error(`port ${port} cannot be used: ${error.message}`));
    });
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(false)));
  });
}
