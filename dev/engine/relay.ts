/** Passing an HTTP message on: which headers travel, and both bodies as they come, unbuffered. */
import { request as httpRequest } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Headers that speak of one connection only (RFC 9110, 7.6.1), and those that a proxy answers itself. */
const HOP_BY_HOP = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Raw header pairs without those of the connection and without the names in `drop`. */
export function endToEnd(rawHeaders: readonly string[], drop: (name: string) => boolean): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (HOP_BY_HOP.has(name.toLowerCase()) || drop(name.toLowerCase())) continue;
    kept.push(name, rawHeaders[at + 1] ?? "");
  }
  return kept;
}

export type Target = {
  readonly url: URL;
  readonly headers: {
    /** As they came: raw pairs, one after the other. */
    readonly sent: readonly string[];
    readonly added: Readonly<Record<string, string>>;
  };
};

/** Send `request` on to `target` and its answer back. The other side's end, or its absence, ends both. */
export function relay(request: IncomingMessage, response: ServerResponse, target: Target): void {
  const { sent, added } = target.headers;
  // Node frames a body of unknown length only when told so; the header itself spoke of the other connection.
  const framing = request.headers["transfer-encoding"] === undefined ? [] : ["transfer-encoding", "chunked"];
  const upstream = httpRequest(target.url, {
    method: request.method ?? "GET",
    headers: [...sent, ...Object.entries(added).flat(), ...framing],
    // One connection per request: a kept one would hold up the other side's shutdown.
    agent: false,
  });
  upstream.on("response", (answer) => {
    response.writeHead(
      answer.statusCode ?? 502,
      endToEnd(answer.rawHeaders, () => false),
    );
    // Headers of an event stream must not wait for the first event.
    response.flushHeaders();
    answer.pipe(response);
    answer.on("error", () => response.destroy());
  });
  upstream.on("error", (error) => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { "content-type": "text/plain" }).end(`local engine: ${error.message}\n`);
  });
  response.on("close", () => upstream.destroy());
  request.on("error", () => upstream.destroy());
  request.pipe(upstream);
}
