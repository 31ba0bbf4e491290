/**
 * Two long-lived git processes per repository, so that reading an object or writing a tree costs a pipe round trip
 * and not a process start: `cat-file --batch-command` and `mktree --batch`. Both answer in the order they were asked.
 */
import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { gitEnvironment } from "./run.ts";

export type GitObject = {
  readonly oid: string;
  readonly type: "blob" | "tree" | "commit" | "tag";
  readonly data: Buffer;
};
export type ObjectInfo = { readonly oid: string; readonly type: GitObject["type"]; readonly size: number };

type Pending = {
  readonly wantsData: boolean;
  readonly resolve: (found: GitObject | ObjectInfo | undefined) => void;
  readonly reject: (error: Error) => void;
};

const HEADER = /^([0-9a-f]{40,64}) (blob|tree|commit|tag) (\d+)$/;

/** Reads objects. Names are anything git can resolve: an id, a ref, `main^{tree}`. */
export class ObjectReader {
  readonly #dir: string;
  #child: ChildProcessWithoutNullStreams | undefined;
  #held: Buffer = Buffer.alloc(0);
  /** Chunks not joined to `#held` yet, and how many bytes the answer being read still needs. */
  #more: Buffer[] = [];
  #missing = 0;
  #waiting: Pending[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  info(name: string): Promise<ObjectInfo | undefined> {
    return this.#ask("info", name).then((found) =>
      found === undefined ? undefined : "size" in found ? found : undefined,
    );
  }

  read(name: string): Promise<GitObject | undefined> {
    return this.#ask("contents", name).then((found) =>
      found === undefined ? undefined : "data" in found ? found : undefined,
    );
  }

  close(): void {
    this.#child?.stdin.end();
    this.#child = undefined;
  }

  #ask(command: "info" | "contents", name: string): Promise<GitObject | ObjectInfo | undefined> {
    // A line feed would be a second command, and an empty name is never an object.
    if (name === "" || /[\n\0]/.test(name)) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ wantsData: command === "contents", resolve, reject });
      this.#process().stdin.write(`${command} ${name}\n`);
    });
  }

  #process(): ChildProcessWithoutNullStreams {
    if (this.#child !== undefined) return this.#child;
    const child = spawn("git", ["--git-dir", this.#dir, "cat-file", "--batch-command"], {
      env: gitEnvironment(),
      stdio: "pipe",
    });
    child.stdout.on("data", (chunk: Buffer) => this.#take(chunk));
    child.stderr.resume();
    child.stdin.on("error", () => undefined);
    child.on("error", () => undefined);
    child.on("close", () => {
      if (this.#child === child) this.#child = undefined;
      this.#held = Buffer.alloc(0);
      this.#more = [];
      this.#missing = 0;
      for (const pending of this.#waiting.splice(0)) pending.reject(new Error("git cat-file ended"));
    });
    this.#child = child;
    return child;
  }

  #take(chunk: Buffer): void {
    // Joining every chunk at once would copy a large blob over and over.
    this.#more.push(chunk);
    this.#missing -= chunk.length;
    if (this.#missing > 0) return;
    this.#held = Buffer.concat([this.#held, ...this.#more.splice(0)]);
    for (let pending = this.#waiting[0]; pending !== undefined; pending = this.#waiting[0]) {
      const end = this.#held.indexOf(10);
      if (end < 0) return;
      const header = HEADER.exec(this.#held.toString("utf8", 0, end));
      const size = header === null ? 0 : Number(header[3]);
      const withData = header !== null && pending.wantsData;
      const length = end + 1 + (withData ? size + 1 : 0);
      this.#missing = length - this.#held.length;
      if (this.#missing > 0) return;
      this.#waiting.shift();
      if (header === null) pending.resolve(undefined);
      else {
        const oid = header[1] ?? "";
        const type = typeOf(header[2]);
        if (withData) {
          pending.resolve({ oid, type, data: Buffer.from(this.#held.subarray(end + 1, end + 1 + size)) });
        } else pending.resolve({ oid, type, size });
      }
      this.#held = this.#held.subarray(length);
    }
  }
}

function typeOf(word: string | undefined): GitObject["type"] {
  if (word === "blob" || word === "tree" || word === "commit" || word === "tag") return word;
  throw new Error(`git cat-file named an unknown type: ${word ?? ""}`);
}

/** Writes trees. git checks that each entry's object exists, and sorts. */
export class TreeWriter {
  readonly #dir: string;
  #child: ChildProcessWithoutNullStreams | undefined;
  #held = "";
  #waiting: { resolve: (oid: string) => void; reject: (error: Error) => void }[] = [];

  constructor(dir: string) {
    this.#dir = dir;
  }

  /** The id of the tree of these `mode type oid\tname` lines. Rejects when git refuses one (and starts anew). */
  write(lines: readonly string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#process().stdin.write(`${lines.map((line) => `${line}\0`).join("")}\0`);
    });
  }

  close(): void {
    this.#child?.stdin.end();
    this.#child = undefined;
  }

  #process(): ChildProcessWithoutNullStreams {
    if (this.#child !== undefined) return this.#child;
    const child = spawn("git", ["--git-dir", this.#dir, "mktree", "-z", "--batch"], {
      env: gitEnvironment(),
      stdio: "pipe",
    });
    let refusal = "";
    child.stdout.setEncoding("utf8");
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text: string) => (refusal += text));
    child.stdout.on("data", (text: string) => {
      this.#held += text;
      for (let end = this.#held.indexOf("\n"); end >= 0; end = this.#held.indexOf("\n")) {
        this.#waiting.shift()?.resolve(this.#held.slice(0, end));
        this.#held = this.#held.slice(end + 1);
      }
    });
    child.stdin.on("error", () => undefined);
    child.on("error", () => undefined);
    child.on("close", () => {
      if (this.#child === child) this.#child = undefined;
      this.#held = "";
      for (const pending of this.#waiting.splice(0))
        pending.reject(new Error(refusal.trim() || "git mktree ended"));
    });
    this.#child = child;
    return child;
  }
}
