/** The engine's addresses, and who may use them. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export type Call =
  | { readonly what: "container"; readonly id: string }
  | { readonly what: "start" | "exit" | "exec" | "signal" | "inactivity"; readonly id: string }
  | { readonly what: "command-signal"; readonly id: string; readonly pid: number }
  | { readonly what: "ports"; readonly id: string; readonly port: number; readonly path: string };

/** Ids become folder names. */
const ID = "[A-Za-z0-9][A-Za-z0-9_-]{0,127}";

/** Read an address; undefined for one that is not ours. */
export function parseCall(url: string): Call | undefined {
  const match = new RegExp(`^/containers/(${ID})(?:/([a-z]+)(/.*|\\?.*)?)?$`, "s").exec(url);
  if (match === null) return undefined;
  const [, id = "", what, rest = ""] = match;
  if (what === undefined) return { what: "container", id };
  const command = /^\/(\d+)\/signal$/.exec(rest);
  if (what === "exec" && command !== null) return { what: "command-signal", id, pid: Number(command[1]) };
  const port = /^\/(\d{1,5})(\/.*)$/s.exec(rest);
  if (what === "ports" && port !== null) return { what, id, port: Number(port[1]), path: port[2] ?? "/" };
  if (rest !== "") return undefined;
  if (what === "start" || what === "exit" || what === "exec" || what === "signal" || what === "inactivity") {
    return { what, id };
  }
  return undefined;
}

/** Whether the request carries `Authorization: Bearer SECRET`. Digests are compared, so that lengths do not matter. */
export function authorised(request: IncomingMessage, secret: string): boolean {
  return timingSafeEqual(digestOf(request.headers.authorization ?? ""), digestOf(`Bearer ${secret}`));
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
