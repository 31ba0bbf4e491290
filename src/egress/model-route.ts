/**
 * From a container's request to the one model provider we allow. The upstream is built from our settings, never from
 * the request's own host; whatever credentials the request carries are dropped and ours are set.
 */
import { fail, pass, type Result } from "../lib/result.ts";
import type { EgressFault } from "./fault.ts";
import { keepHeaders } from "./headers.ts";
import { judgeModelBody, keepBetas } from "./model-body.ts";

export type ModelUpstream = {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** What a run may use. */
  readonly models: readonly string[];
};

/** What the agents' command lines call. Files, batches and admin endpoints of the same host are other people's storage. */
const PATHS: ReadonlySet<string> = new Set(["/v1/messages", "/v1/messages/count_tokens"]);

/** Feature headers pass; credentials, cookies and proxy headers do not. */
const HEADERS = ["accept", "content-type", "anthropic-version", "anthropic-beta", "user-agent"] as const;

/** Bytes of one request. It is held as text, read and written again in an isolate of 128 MB that serves others too. */
export const MAX_MODEL_REQUEST_BYTES = 8 * 1024 * 1024;

/** Judge a request and build the one that goes upstream. */
export async function modelRequest(
  request: Request,
  upstream: ModelUpstream,
): Promise<Result<Request, EgressFault>> {
  const url = new URL(request.url);
  if (!PATHS.has(url.pathname)) return fail({ why: "path-not-allowed", path: url.pathname });
  if (request.method !== "POST") {
    return fail({ why: "method-not-allowed", method: request.method, path: url.pathname });
  }
  if (Number(request.headers.get("content-length") ?? 0) > MAX_MODEL_REQUEST_BYTES) {
    return fail({ why: "body-too-large", limit: MAX_MODEL_REQUEST_BYTES });
  }
  const text = await readText(request.body);
  if (!text.ok) return text;
  const body = judgeModelBody(text.value, upstream.models);
  if (!body.ok) return body;
  const headers = keepHeaders(request.headers, HEADERS);
  const betas = keepBetas(headers.get("anthropic-beta") ?? "");
  if (betas === "") headers.delete("anthropic-beta");
  else headers.set("anthropic-beta", betas);
  headers.set("x-api-key", upstream.apiKey);
  const target = `${upstream.baseUrl.replace(/\/+$/, "")}${url.pathname}${url.search}`;
  return pass(new Request(target, { method: "POST", headers, body: body.value, redirect: "manual" }));
}

async function readText(body: ReadableStream<Uint8Array> | null): Promise<Result<string, EgressFault>> {
  if (body === null) return fail({ why: "body-unreadable" });
  try {
    return pass(await new Response(body.pipeThrough(atMost(MAX_MODEL_REQUEST_BYTES))).text());
  } catch {
    return fail({ why: "body-too-large", limit: MAX_MODEL_REQUEST_BYTES });
  }
}

/** Ends a body that grows past `limit` bytes: a chunked one declares no length. */
function atMost(limit: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk: Uint8Array, controller) {
      bytes += chunk.byteLength;
      if (bytes > limit) controller.error(new Error(`more than ${limit} bytes`));
      else controller.enqueue(chunk);
    },
  });
}

/** The provider's answer as the container may see it: its body and what describes it, no cookies and no account headers. */
export function modelResponse(response: Response): Response {
  const kept = ["content-type", "request-id", "retry-after", "x-should-retry"] as const;
  return new Response(response.body, {
    status: response.status,
    headers: keepHeaders(response.headers, kept),
  });
}
