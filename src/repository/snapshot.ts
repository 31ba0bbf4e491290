/**
 * The text of a repository at one commit, read from a tar as it streams in: never the whole archive in memory, and
 * never more text than the caps. Holds no token and knows no GitHub.
 */
import { createTarDecoder } from "modern-tar";

export type SnapshotFile = { readonly path: string; readonly text: string };
export type Snapshot = {
  readonly files: readonly SnapshotFile[];
  /** Files known by name only: binary, too large, or past the caps. */
  readonly unread: readonly string[];
  readonly bytes: number;
};

/** Guards the isolate's 128 MB: text is held as UTF-16 at worst. */
export const SNAPSHOT_CAPS = { fileBytes: 1024 * 1024, totalBytes: 16 * 1024 * 1024, files: 20_000 } as const;

/** Bytes looked at for a NUL, as git does to call a file binary. */
const SNIFF_BYTES = 8_000;

/** @param gzip GitHub's tarball: everything below one folder, whose name is left out of the paths */
export async function readSnapshot(gzip: ReadableStream<Uint8Array>): Promise<Snapshot> {
  const files: SnapshotFile[] = [];
  const unread: string[] = [];
  let bytes = 0;
  const unzipped = gzip.pipeThrough(unzip());
  const entries = unzipped.pipeThrough(createTarDecoder({ strict: true })).getReader();
  for (let next = await entries.read(); !next.done; next = await entries.read()) {
    const { header, body } = next.value;
    const path = header.name.slice(header.name.indexOf("/") + 1);
    const size = header.size;
    const fits = size <= SNAPSHOT_CAPS.fileBytes && bytes + size <= SNAPSHOT_CAPS.totalBytes;
    if (header.type !== "file" || path === "" || !fits || files.length >= SNAPSHOT_CAPS.files) {
      await body.cancel();
      if (header.type === "file" && path !== "") unread.push(path);
      continue;
    }
    const content = new Uint8Array(await new Response(body).arrayBuffer());
    const text = textOf(content);
    if (text === undefined) unread.push(path);
    else {
      bytes += size;
      files.push({ path, text });
    }
  }
  files.sort((left, right) => (left.path < right.path ? -1 : 1));
  return { files, unread, bytes };
}

/** Node's and workerd's types disagree on what may be written to it; both take bytes. */
function unzip(): ReadableWritablePair<Uint8Array, Uint8Array> {
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion
  return new DecompressionStream("gzip") as ReadableWritablePair<Uint8Array, Uint8Array>;
}

/** The text of bytes, or undefined for a binary file. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.subarray(0, SNIFF_BYTES).includes(0)) return undefined;
  return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
}
