/** Reading a body that may lie about its size. */
import { fail, pass, type Result } from "../lib/result.ts";
import type { WebhookFault } from "./faults.ts";

/**
 * All bytes of a stream, or a fault as soon as there are more than `limit`: what is over it is never kept.
 * @param limit bytes; a body of exactly this many is read
 */
export async function readCapped(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Result<Uint8Array<ArrayBuffer>, WebhookFault>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (stream !== null) {
    const reader = stream.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        size += next.value.byteLength;
        if (size > limit) {
          await reader.cancel();
          return fail({ why: "body-too-large", limit });
        }
        chunks.push(next.value);
      }
    } catch {
      return fail({ why: "body-unreadable" });
    }
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return pass(whole);
}
