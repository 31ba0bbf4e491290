/** The tool's two ends: one JSON document in, one `ToolAnswer` out. */
import type { ToolAnswer } from "../../src/domain/container-protocol.ts";
import { refuse } from "./faults.ts";

/** Guards our memory against a caller's mistake. The largest honest input is a full file set in base64. */
const MAX_INPUT_BYTES = 256 * 1024 * 1024;

/** Everything on standard input, as one JSON value. */
export async function readInput(input: AsyncIterable<Uint8Array>): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > MAX_INPUT_BYTES) refuse("bad-input", `more than ${MAX_INPUT_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    return value;
  } catch {
    return refuse("bad-input", "standard input is not JSON");
  }
}

/** Write the answer and wait until the pipe has it: leaving earlier would cut a large file set. */
export async function writeAnswer(answer: ToolAnswer<unknown>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(`${JSON.stringify(answer)}\n`, (error) => (error ? reject(error) : resolve()));
  });
}
