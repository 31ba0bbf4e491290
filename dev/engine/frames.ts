/**
 * How a command's streams travel in one HTTP response: frames of one byte for the kind, four for the length (big
 * endian), then the payload. No Node and no workerd in here: the host writes them, the Worker reads them.
 */

/** `start` and `exit` carry JSON, the others bytes. */
export const FRAME = { start: 0, stdout: 1, stderr: 2, exit: 3 } as const;
export type FrameKind = (typeof FRAME)[keyof typeof FRAME];

export type Frame = { readonly kind: FrameKind; readonly payload: Uint8Array };

const HEAD_BYTES = 5;
/** Guards the reader against a stream that is not ours. */
const MAX_FRAME_BYTES = 64 * 1024 * 1024;

/** One frame as bytes. */
export function encodeFrame(kind: FrameKind, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEAD_BYTES + payload.length);
  bytes[0] = kind;
  new DataView(bytes.buffer).setUint32(1, payload.length);
  bytes.set(payload, HEAD_BYTES);
  return bytes;
}

/** A frame with a JSON payload. */
export function encodeJson(kind: FrameKind, value: unknown): Uint8Array {
  return encodeFrame(kind, new TextEncoder().encode(JSON.stringify(value)));
}

/** A JSON payload's value. */
export function jsonOf(frame: Frame): unknown {
  return JSON.parse(new TextDecoder().decode(frame.payload));
}

/** Splits a byte stream into frames, however it was cut. Throws on what cannot be a frame. */
export class FrameReader {
  #kept: Uint8Array = new Uint8Array(0);

  /** The frames that are whole now. */
  push(chunk: Uint8Array): Frame[] {
    const bytes = new Uint8Array(this.#kept.length + chunk.length);
    bytes.set(this.#kept);
    bytes.set(chunk, this.#kept.length);
    const view = new DataView(bytes.buffer);
    const frames: Frame[] = [];
    let at = 0;
    while (bytes.length - at >= HEAD_BYTES) {
      const length = view.getUint32(at + 1);
      if (length > MAX_FRAME_BYTES) throw new Error(`a frame of ${length} bytes`);
      if (bytes.length - at - HEAD_BYTES < length) break;
      const payload = bytes.subarray(at + HEAD_BYTES, at + HEAD_BYTES + length);
      frames.push({ kind: kindOf(bytes[at]), payload });
      at += HEAD_BYTES + length;
    }
    this.#kept = bytes.slice(at);
    return frames;
  }
}

function kindOf(byte: number | undefined): FrameKind {
  const kind = Object.values(FRAME).find((each) => each === byte);
  if (kind === undefined) throw new Error(`no frame of kind ${byte}`);
  return kind;
}
