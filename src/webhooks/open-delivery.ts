/**
 * From a request to a delivery that GitHub signed. This file is the only maker of `SignedDelivery`, and everything
 * behind it demands one, so an unverified body cannot get any further. Nothing is parsed before it is verified.
 */
import { fromHex } from "../lib/bytes.ts";
import { fail, pass, type Result } from "../lib/result.ts";
import { readCapped } from "./read-capped.ts";
import type { WebhookFault } from "./faults.ts";

declare const sealed: unique symbol;

/** A body whose signature matched. The id and the name come from headers, which GitHub does not sign. */
export type SignedDelivery = {
  readonly id: string;
  readonly name: string;
  readonly body: Uint8Array;
  readonly [sealed]: true;
};

/** GitHub sends no webhook with a larger payload (docs: "payloads are capped at 25 MB"). */
export const MAX_BODY_BYTES = 25 * 1024 * 1024;

type Head = { readonly id: string; readonly name: string; readonly signature: Uint8Array<ArrayBuffer> };

/**
 * Verify one delivery.
 * @param secrets the current secret and, while it is being rotated, the previous one
 */
export async function openDelivery(
  request: Request,
  secrets: readonly string[],
): Promise<Result<SignedDelivery, WebhookFault>> {
  const head = readHead(request);
  if (!head.ok) return head;
  const body = await readCapped(request.body, MAX_BODY_BYTES);
  if (!body.ok) return body;
  if (!(await signedByAny(body.value, head.value.signature, secrets))) {
    return fail({ why: "signature-mismatch" });
  }
  return pass({ id: head.value.id, name: head.value.name, body: body.value } as SignedDelivery);
}

function readHead(request: Request): Result<Head, WebhookFault> {
  if (request.method !== "POST") return fail({ why: "method", method: request.method });
  const contentType = request.headers.get("content-type") ?? "";
  if (!/^application\/json(?:\s*;|$)/i.test(contentType)) return fail({ why: "content-type", contentType });
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > MAX_BODY_BYTES) {
    return fail({ why: "body-too-large", limit: MAX_BODY_BYTES });
  }
  // A repeated header arrives joined by ", " and so fails its form.
  const id = header(request, "x-github-delivery", /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i);
  if (!id.ok) return id;
  const name = header(request, "x-github-event", /^[a-z][a-z0-9_]{0,63}$/);
  if (!name.ok) return name;
  const signature = header(request, "x-hub-signature-256", /^sha256=[0-9a-f]{64}$/);
  if (!signature.ok) return signature;
  const bytes = fromHex(signature.value.slice("sha256=".length));
  if (bytes === undefined) return fail({ why: "header-malformed", header: "x-hub-signature-256" });
  return pass({ id: id.value.toLowerCase(), name: name.value, signature: bytes });
}

function header(request: Request, name: string, form: RegExp): Result<string, WebhookFault> {
  const value = request.headers.get(name);
  if (value === null) return fail({ why: "header-missing", header: name });
  return form.test(value) ? pass(value) : fail({ why: "header-malformed", header: name });
}

/** HMAC-SHA256 over the raw bytes: decoding first would drop a BOM and repair bad UTF-8, and so change the digest. */
async function signedByAny(
  body: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
  secrets: readonly string[],
): Promise<boolean> {
  let genuine = false;
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey(
      "raw",
      new TextEncoder().encode(secret),
      { name: "HMAC", hash: "SHA-256" },
      false,
      ["verify"],
    );
    // crypto.subtle.verify compares in constant time.
    if (await crypto.subtle.verify("HMAC", key, signature, body)) genuine = true;
  }
  return genuine;
}
