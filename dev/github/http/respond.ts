/** Replies and refusals turned into responses with the headers GitHub sends on every answer. */
import { createHash, randomBytes } from "node:crypto";
import type { Actor } from "../state/model.ts";
import type { World } from "../world.ts";
import type { Reply } from "./call.ts";
import type { Refusal } from "./refusal.ts";

const DOCS = "https://docs.github.com/rest";

/** GitHub: 5,000 requests an hour for a user or an installation, 60 without credentials. */
const LIMITS = { signedIn: 5_000, anonymous: 60 } as const;
const WINDOW_MS = 60 * 60 * 1000;

/** Counts requests per caller and hour. Nothing is refused for being over: the primary-limit fault does that. */
export class RateMeter {
  readonly #windows = new Map<string, { used: number; resetAt: number }>();

  spend(world: World, actor: Actor, cost: 1 | -1): Record<string, string> {
    const key = callerKey(actor);
    const limit = actor.kind === "anonymous" ? LIMITS.anonymous : LIMITS.signedIn;
    let window = this.#windows.get(key);
    if (window === undefined || window.resetAt <= world.now()) {
      window = { used: 0, resetAt: world.now() + WINDOW_MS };
      this.#windows.set(key, window);
    }
    window.used += cost;
    return {
      "X-RateLimit-Limit": String(limit),
      "X-RateLimit-Remaining": String(Math.max(0, limit - window.used)),
      "X-RateLimit-Reset": String(Math.ceil(window.resetAt / 1000)),
      "X-RateLimit-Used": String(window.used),
      "X-RateLimit-Resource": "core",
    };
  }
}

function callerKey(actor: Actor): string {
  switch (actor.kind) {
    case "installation":
      return `installation:${actor.token.installation.id}`;
    case "user":
      return `user:${actor.account.id}`;
    default:
      return actor.kind;
  }
}

function hex(bytes: number): string {
  return randomBytes(bytes).toString("hex").toUpperCase();
}

/** Headers of every REST answer. */
export function commonHeaders(
  world: World,
  apiVersion: string | null,
  format: string,
): Record<string, string> {
  return {
    // octokit sets the clock of its JWTs by this header.
    Date: new Date(world.now()).toUTCString(),
    Server: "GitHub.com",
    "X-GitHub-Media-Type": format === "json" ? "github.v3; format=json" : `github.v3; param=${format}`,
    "X-GitHub-Request-Id": `${hex(2)}:${hex(3)}:${hex(3)}:${hex(3)}:${hex(4)}`,
    "X-GitHub-Api-Version-Selected": apiVersion ?? "2022-11-28",
    "X-GitHub-Enterprise-Version": "3.19.0",
    "X-Content-Type-Options": "nosniff",
    Vary: "Accept, Authorization, Accept-Encoding",
  };
}

/** A reply as a response. GET answers carry an ETag; a matching If-None-Match makes them 304 without a body. */
export function respond(
  reply: Reply,
  method: string,
  ifNoneMatch: string | null,
  headers: Headers,
): Response {
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers.set(name, value);
  if (reply.raw === undefined && reply.json === undefined)
    return new Response(null, { status: reply.status, headers });
  const body = reply.raw?.body ?? JSON.stringify(reply.json);
  headers.set("Content-Type", reply.raw?.type ?? "application/json; charset=utf-8");
  if (method === "GET" && reply.status === 200) {
    const etag = `W/"${createHash("sha256").update(body).digest("hex")}"`;
    headers.set("ETag", etag);
    headers.set("Cache-Control", "private, max-age=60, s-maxage=60");
    if (ifNoneMatch?.split(/,\s*/).includes(etag) === true) {
      headers.delete("Content-Type");
      return new Response(null, { status: 304, headers });
    }
  }
  return new Response(body, { status: reply.status, headers });
}

/** A refusal in GitHub's shape: message, errors, documentation_url and the status as text. */
export function refusalReply(refusal: Refusal): Reply {
  return {
    status: refusal.status,
    headers: refusal.headers,
    json: {
      message: refusal.message,
      ...(refusal.errors === undefined ? {} : { errors: refusal.errors }),
      ...refusal.more,
      documentation_url: DOCS,
      status: String(refusal.status),
    },
  };
}
