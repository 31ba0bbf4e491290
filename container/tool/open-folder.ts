/**
 * Looking at the workspace while the agent may be changing it. A folder is held open and its children are reached
 * through the open folder, never by a path from the root again: a folder swapped for a link between two looks leads
 * nowhere, because a link is never followed.
 *
 * Node has no openat(2). On Linux /proc/self/fd/N/NAME is the same thing: the kernel resolves N to the open folder
 * itself and then looks NAME up in it. Elsewhere (a developer's own machine) the path is used, with O_NOFOLLOW on the
 * last step only.
 */
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
} from "node:fs";
import type { Stats } from "node:fs";
import { errorCode, refuse } from "./faults.ts";
import type { ByteString } from "./tree.ts";

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** An open folder. Close it with `closeFolder`. */
export type Folder = { readonly fd: number; readonly path: Buffer };

/** What a name stands for. `unreadable` covers what vanished or may not be looked at. */
export type Kind = "file" | "folder" | "link" | "special" | "missing" | "unreadable";

/**
 * Open the workspace itself. An agent may have shut it to itself; it is opened again, since it is the owner's to open.
 * Refuses with no-checkout when it is gone.
 */
export function openRoot(path: string): Folder {
  const open = (): Folder => ({
    fd: openSync(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
    path: Buffer.from(path),
  });
  try {
    return open();
  } catch (thrown) {
    if (errorCode(thrown) !== "EACCES") return refuse("no-checkout", `the workspace: ${String(thrown)}`);
  }
  chmodSync(path, 0o755);
  return open();
}

export function closeFolder(folder: Folder): void {
  closeSync(folder.fd);
}

/** The path by which `name` in `folder` is reached. */
export function at(folder: Folder, name: ByteString): Buffer {
  const base = process.platform === "linux" ? Buffer.from(`/proc/self/fd/${folder.fd}`) : folder.path;
  return Buffer.concat([base, Buffer.from(`/${name}`, "latin1")]);
}

/** Open a folder inside `folder`; undefined when it is none (any more) or may not be read. */
export function openChild(folder: Folder, name: ByteString): Folder | undefined {
  try {
    const fd = openSync(at(folder, name), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    return { fd, path: Buffer.concat([folder.path, Buffer.from(`/${name}`, "latin1")]) };
  } catch (thrown) {
    return expected(thrown);
  }
}

/** The names in a folder, in no order, or undefined when there are more than `most`. */
export function namesIn(folder: Folder, most: number): ByteString[] | undefined {
  const path = process.platform === "linux" ? `/proc/self/fd/${folder.fd}` : folder.path;
  const names: ByteString[] = [];
  // Read one by one: a folder of millions must not become a list first.
  const entries = opendirSync(path, { encoding: "latin1" });
  try {
    for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) {
      if (names.length === most) return undefined;
      names.push(entry.name);
    }
    return names;
  } finally {
    entries.closeSync();
  }
}

/** What `name` is, the link itself when it is one. */
export function kindOf(folder: Folder, name: ByteString): Kind {
  try {
    const stats = lstatSync(at(folder, name));
    if (stats.isFile()) return "file";
    if (stats.isDirectory()) return "folder";
    return stats.isSymbolicLink() ? "link" : "special";
  } catch (thrown) {
    const code = errorCode(thrown);
    return code === "ENOENT" || code === "ENOTDIR" ? "missing" : "unreadable";
  }
}

/** A link's own text, or undefined when it is no link (any more). */
export function linkText(folder: Folder, name: ByteString): Buffer | undefined {
  try {
    return readlinkSync(at(folder, name), { encoding: "buffer" });
  } catch (thrown) {
    return expected(thrown);
  }
}

/** An open regular file. */
export type OpenFile = { readonly fd: number; readonly stats: Stats };

/**
 * Open a regular file; undefined when it is none or may not be read. O_NONBLOCK: a pipe put in its place must not
 * hold us up. What was opened is what is judged: `stats` is of the open file.
 */
export function openFile(folder: Folder, name: ByteString): OpenFile | undefined {
  let fd: number;
  try {
    fd = openSync(at(folder, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (thrown) {
    return expected(thrown);
  }
  const stats = fstatSync(fd);
  if (stats.isFile()) return { fd, stats };
  closeSync(fd);
  return undefined;
}

/** Read and close: the bytes, or undefined when there are more than `most`. What a file grows by meanwhile is left. */
export function readAndClose(file: OpenFile, most: number): Buffer | undefined {
  try {
    const { size } = file.stats;
    if (size > most) return undefined;
    const bytes = Buffer.alloc(size);
    let filled = 0;
    while (filled < size) {
      const got = readSync(file.fd, bytes, filled, size - filled, filled);
      if (got === 0) break;
      filled += got;
    }
    return bytes.subarray(0, filled);
  } finally {
    closeSync(file.fd);
  }
}

/** Errors that the agent can cause at any moment are answers; others are thrown on. */
function expected(thrown: unknown): undefined {
  const code = errorCode(thrown);
  const usual = [
    "ENOENT",
    "ENOTDIR",
    "ELOOP",
    "EACCES",
    "EPERM",
    "EINVAL",
    "ENXIO",
    "ENODEV",
    "EISDIR",
    "EMLINK",
  ];
  if (code !== undefined && usual.includes(code)) return undefined;
  throw thrown;
}
