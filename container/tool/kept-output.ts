/** A command's output, its head and its tail kept, so that a command that prints without end costs a fixed size. */

export class KeptOutput {
  readonly #each: number;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer = Buffer.alloc(0);
  #total = 0;

  /** @param each Bytes kept of the head, and as many of the tail. */
  constructor(each: number) {
    this.#each = each;
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    const room = Math.max(0, this.#each - this.#headBytes);
    const first = chunk.subarray(0, room);
    if (first.length > 0) {
      this.#head.push(Buffer.from(first));
      this.#headBytes += first.length;
    }
    const rest = chunk.subarray(room);
    if (rest.length === 0) return;
    const joined = Buffer.concat([this.#tail, rest.subarray(Math.max(0, rest.length - this.#each))]);
    this.#tail = joined.subarray(Math.max(0, joined.length - this.#each));
  }

  /** The text, with a line that says how much is missing. A character cut in two at an edge is left out. */
  finish(): { readonly output: string; readonly cut: boolean } {
    const head = Buffer.concat(this.#head);
    const missing = this.#total - head.length - this.#tail.length;
    if (missing === 0) return { output: Buffer.concat([head, this.#tail]).toString("utf8"), cut: false };
    const mark = `\n[… ${missing} bytes left out …]\n`;
    return { output: `${wholeEnd(head)}${mark}${wholeStart(this.#tail)}`, cut: true };
  }
}

/** Without the replacement character that half a character at the end would become. */
function wholeEnd(bytes: Buffer): string {
  let end = bytes.length;
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (needs > back) end = bytes.length - back;
    break;
  }
  return bytes.subarray(0, end).toString("utf8");
}

function wholeStart(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start).toString("utf8");
}
