/**
 * A container's way out: a forward proxy of its own, which hands every plain-http request to the Worker and refuses all
 * else. It reaches no other host, so what the Worker refuses stays refused. A process that ignores the proxy settings
 * is not held: this engine is no boundary.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { endToEnd, relay } from "./relay.ts";

export type EgressProxy = { readonly url: string; close(): Promise<void> };

export type EgressOptions = {
  readonly container: string;
  readonly callbackUrl: string;
  readonly secret: string;
  /** Called for each request, so that a container at work is not taken for an idle one. */
  readonly used: () => void;
};

/** Start the proxy on a free port of 127.0.0.1. */
export async function startEgressProxy(options: EgressOptions): Promise<EgressProxy> {
  const callback = new URL(options.callbackUrl);
  const server = createServer((request, response) => {
    options.used();
    const asked = request.url ?? "";
    // Absolute form is what a client sends to a proxy (RFC 9112, 3.2.2). Origin form would be a call to the proxy itself.
    if (!asked.startsWith("http://") || !URL.canParse(asked)) {
      response.writeHead(403, { "content-type": "text/plain" });
      response.end("local engine: only plain http through the proxy\n");
      return;
    }
    relay(request, response, {
      url: callback,
      headers: {
        sent: endToEnd(request.rawHeaders, isOurs),
        added: {
          host: callback.host,
          "x-engine-container": options.container,
          "x-engine-url": new URL(asked).href,
          "x-engine-secret": options.secret,
        },
      },
    });
  });
  server.on("connect", (_request, socket) => {
    socket.on("error", () => undefined);
    socket.end(
      "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nx-refused: CONNECT\r\nconnection: close\r\n\r\n",
    );
  });
  server.on("upgrade", (_request, socket) => {
    socket.on("error", () => undefined);
    socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
  });
  // A model may think for minutes before its first byte, and a clone may take longer than Node's five minutes.
  server.requestTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Names that only the engine may set, and `host`, which is the callback's. */
function isOurs(name: string): boolean {
  return name === "host" || name.startsWith("x-engine-");
}
