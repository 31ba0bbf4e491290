/** Reaching a port of a container: plain requests and WebSocket upgrades. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import type { Box } from "./box.ts";
import { endToEnd, relay } from "./relay.ts";
import type { Target } from "./relay.ts";

/** The caller's own `authorization` travels under this name: the engine's secret takes the real one. */
const INNER_AUTHORIZATION = "x-engine-authorization";

const DROPPED = new Set(["authorization", "host", INNER_AUTHORIZATION]);

function headersFor(request: IncomingMessage, port: number): Target["headers"] {
  const inner = request.headers[INNER_AUTHORIZATION];
  return {
    sent: endToEnd(request.rawHeaders, (name) => DROPPED.has(name)),
    added: {
      host: `127.0.0.1:${port}`,
      ...(typeof inner === "string" ? { authorization: inner } : {}),
    },
  };
}

/** Pass a plain request on to `port` of this machine. */
export function forwardRequest(
  box: Box,
  port: number,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.on("close", box.use());
  // Put together, not resolved: a path that begins with "//" must not name another host.
  const url = new URL(`http://127.0.0.1:${port}${path}`);
  relay(request, response, { url, headers: headersFor(request, port) });
}

/** Pass an upgrade on: its head anew, then bytes both ways until either side ends. */
export function forwardUpgrade(
  box: Box,
  port: number,
  path: string,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): void {
  const over = box.use();
  const inner = connect(port, "127.0.0.1");
  const lines = [`${request.method ?? "GET"} ${path} HTTP/1.1`];
  const { sent, added } = headersFor(request, port);
  const switching = { ...added, connection: "Upgrade", upgrade: request.headers.upgrade ?? "" };
  const headers = [...sent, ...Object.entries(switching).flat()];
  for (let at = 0; at + 1 < headers.length; at += 2) lines.push(`${headers[at]}: ${headers[at + 1]}`);
  inner.on("connect", () => {
    inner.write(`${lines.join("\r\n")}\r\n\r\n`);
    inner.write(head);
    inner.pipe(socket);
    socket.pipe(inner);
  });
  const end = (): void => {
    over();
    inner.destroy();
    socket.destroy();
  };
  for (const side of [inner, socket]) side.on("error", end).on("close", end);
}
