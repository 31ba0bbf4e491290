/** Reading a body that may lie about its size. */
import { fail, pass, type Result } from "../lib/result.ts";
import type { WebhookFault } from "./faults.ts";

/** Room to begin with; most deliveries are smaller. */
const FIRST_BYTES = 64 * 1024;

/**
 * All bytes of a stream, or a fault as soon as there are more than `limit`. They are held once, in one buffer that
 * grows in place: at no time is more than the body itself kept.
 * @param limit bytes; a body of exactly this many is read
 */
export async function readCapped(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Result<Uint8Array<ArrayBuffer>, WebhookFault>> {
  const buffer = new ArrayBuffer(Math.min(FIRST_BYTES, limit), { maxByteLength: limit });
  let size = 0;
  if (stream !== null) {
    const reader = stream.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        const end = size + next.value.byteLength;
        if (end > limit) {
          await reader.cancel();
          return fail({ why: "body-too-large", limit });
        }
        if (end > buffer.byteLength) buffer.resize(Math.min(limit, Math.max(end, buffer.byteLength * 2)));
        new Uint8Array(buffer, size, next.value.byteLength).set(next.value);
        size = end;
      }
    } catch {
      return fail({ why: "body-unreadable" });
    }
  }
  // WebCrypto takes no view of a buffer that could still change its length.
  return pass(new Uint8Array(buffer.transferToFixedLength(size)));
}
