/**
 * One bare repository on disk. Owns every git process that touches it; refuses nothing on GitHub's behalf: what
 * may be written is decided by acts and routes.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ObjectReader, TreeWriter } from "./batch.ts";
import type { GitObject, ObjectInfo } from "./batch.ts";
import { parseCommit, parseTree } from "./objects.ts";
import type { Commit, TreeEntry } from "./objects.ts";
import { git, runGit } from "./run.ts";

export type Ref = { readonly name: string; readonly oid: string; readonly type: string };

export const OBJECT_ID = /^[0-9a-f]{40}$/;

/** Immutable objects kept parsed. Enough for one repository in a test; it only saves time. */
const CACHED_OBJECTS = 4096;

export class GitStore {
  readonly dir: string;
  readonly #reader: ObjectReader;
  readonly #trees: TreeWriter;
  readonly #cache = new Map<string, Commit | TreeEntry[]>();
  #lock: Promise<unknown> = Promise.resolve();
  #sawRefs = false;

  constructor(dir: string) {
    this.dir = dir;
    this.#reader = new ObjectReader(dir);
    this.#trees = new TreeWriter(dir);
  }

  /** Makes the repository. Fetch by id and refs/pull/* work as on GitHub; refs/pull/* cannot be pushed to. */
  static async create(dir: string, defaultBranch: string): Promise<GitStore> {
    await mkdir(dir, { recursive: true });
    await git(dir, ["init", "--quiet", "--bare", `--initial-branch=${defaultBranch}`, dir]);
    const settings = [
      "[uploadpack]\n\tallowReachableSHA1InWant = true\n\tallowAnySHA1InWant = true\n\tallowFilter = true",
      "[receive]\n\thideRefs = refs/pull\n\tautogc = false\n\tunpackLimit = 10000",
      "[http]\n\treceivepack = true\n\tuploadpack = true",
      "[gc]\n\tauto = 0",
      "[core]\n\tlogAllRefUpdates = false\n\tfsync = none",
    ];
    await writeFile(
      join(dir, "config"),
      `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n${settings.join("\n")}\n`,
    );
    return new GitStore(dir);
  }

  info(name: string): Promise<ObjectInfo | undefined> {
    return this.#reader.info(name);
  }

  read(name: string): Promise<GitObject | undefined> {
    return this.#reader.read(name);
  }

  /** The commit a branch, tag, full ref or id names, in GitHub's order; undefined when there is none. */
  async commitAt(name: string): Promise<Commit | undefined> {
    if (OBJECT_ID.test(name)) return this.commit(name);
    if (!isPlainName(name)) return undefined;
    const tries = [`refs/heads/${name}`, `refs/tags/${name}`, ...(name.startsWith("refs/") ? [name] : [])];
    if (/^[0-9a-f]{7,39}$/.test(name)) tries.push(name);
    if (name === "HEAD") tries.unshift("HEAD");
    if (/^(heads|tags|pull)\//.test(name)) tries.push(`refs/${name}`);
    for (const ref of tries) {
      const found = await this.#reader.info(`${ref}^{commit}`);
      if (found !== undefined) return this.commit(found.oid);
    }
    return undefined;
  }

  /** A commit by id. Annotated tags are not followed. */
  async commit(oid: string): Promise<Commit | undefined> {
    const cached = this.#cache.get(oid);
    if (cached !== undefined) return Array.isArray(cached) ? undefined : cached;
    const object = await this.#reader.read(oid);
    if (object?.type !== "commit") return undefined;
    return this.#keep(oid, parseCommit(oid, object.data));
  }

  async tree(oid: string): Promise<TreeEntry[] | undefined> {
    const cached = this.#cache.get(oid);
    if (cached !== undefined) return Array.isArray(cached) ? cached : undefined;
    const object = await this.#reader.read(oid);
    if (object?.type !== "tree") return undefined;
    return this.#keep(oid, parseTree(object.data));
  }

  /** What `path` names below a tree: an entry, or undefined. "" is not a path. */
  async entryAt(tree: string, path: string): Promise<TreeEntry | undefined> {
    let here: string | undefined = tree;
    let found: TreeEntry | undefined;
    for (const name of path.split("/")) {
      if (here === undefined) return undefined;
      found = (await this.tree(here))?.find((entry) => entry.name === name);
      if (found === undefined) return undefined;
      here = found.type === "tree" ? found.oid : undefined;
    }
    return found;
  }

  async writeBlob(data: Uint8Array): Promise<string> {
    return (await git(this.dir, ["hash-object", "-w", "--stdin"], data)).toString("latin1").trim();
  }

  /** Rejects when an entry's object is missing or a name is one git forbids. */
  writeTree(entries: readonly TreeEntry[]): Promise<string> {
    return this.#trees.write(entries.map((e) => `${e.mode} ${e.type} ${e.oid}\t${e.name}`));
  }

  async writeCommit(text: string): Promise<string> {
    return (await git(this.dir, ["hash-object", "-t", "commit", "-w", "--stdin"], text))
      .toString("latin1")
      .trim();
  }

  async writeTag(text: string): Promise<string> {
    return (await git(this.dir, ["mktag"], text)).toString("latin1").trim();
  }

  /** Refs whose full name starts with `prefix` (refs/heads/fea finds refs/heads/feature), in name order. */
  async refs(prefix = "refs/"): Promise<Ref[]> {
    const folder = prefix.slice(0, prefix.lastIndexOf("/") + 1);
    const out = await git(this.dir, [
      "for-each-ref",
      "--format=%(objectname) %(objecttype) %(refname)",
      folder,
    ]);
    return out
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [oid = "", type = "", ...name] = line.split(" ");
        return { oid, type, name: name.join(" ") };
      })
      .filter((ref) => ref.name.startsWith(prefix));
  }

  async ref(name: string): Promise<Ref | undefined> {
    if (!isPlainName(name)) return undefined;
    const found = await this.#reader.info(name);
    return found === undefined ? undefined : { name, oid: found.oid, type: found.type };
  }

  /** False for what GitHub calls an empty repository. Remembered until a ref is deleted. */
  async hasRefs(): Promise<boolean> {
    if (this.#sawRefs) return true;
    this.#sawRefs =
      (await git(this.dir, ["for-each-ref", "--count=1", "refs/heads", "refs/tags"])).length > 0;
    return this.#sawRefs;
  }

  /** To be called when something else than updateRef has moved refs. */
  forgetRefs(): void {
    this.#sawRefs = false;
  }

  /** Moves a ref; null deletes. `before` is compared under git's own lock; false when it does not hold. */
  async updateRef(name: string, to: string | null, before?: string): Promise<boolean> {
    const expected = before === undefined ? [] : [before];
    if (to === null) this.forgetRefs();
    const args =
      to === null ? ["update-ref", "-d", name, ...expected] : ["update-ref", name, to, ...expected];
    return (await runGit(this.dir, args)).code === 0;
  }

  /** Points HEAD at a branch, so that clones check it out. */
  async setHead(branch: string): Promise<void> {
    await git(this.dir, ["symbolic-ref", "HEAD", `refs/heads/${branch}`]);
  }

  async isAncestor(ancestor: string, of: string): Promise<boolean> {
    return (
      ancestor === of || (await runGit(this.dir, ["merge-base", "--is-ancestor", ancestor, of])).code === 0
    );
  }

  async mergeBase(a: string, b: string): Promise<string | undefined> {
    const run = await runGit(this.dir, ["merge-base", a, b]);
    return run.code === 0 ? run.out.toString("latin1").trim() : undefined;
  }

  /** Commit ids, newest first. `range` is git's own words (ids and ^ids only, never a caller's text). */
  async log(range: readonly string[], options: readonly string[] = [], path?: string): Promise<string[]> {
    const out = await git(this.dir, [
      "rev-list",
      ...options,
      ...range,
      "--",
      ...(path === undefined || path === "" ? [] : [`:(literal)${path}`]),
    ]);
    return out
      .toString("latin1")
      .split("\n")
      .filter((line) => line !== "");
  }

  /** Runs `work` after every earlier one: what reads refs, decides and writes refs must not interleave. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#lock.then(work, work);
    this.#lock = next.catch(() => undefined);
    return next;
  }

  close(): void {
    this.#reader.close();
    this.#trees.close();
  }

  #keep<T extends Commit | TreeEntry[]>(oid: string, value: T): T {
    if (this.#cache.size >= CACHED_OBJECTS) this.#cache.clear();
    this.#cache.set(oid, value);
    return value;
  }
}

/** A name that git reads as a ref and as nothing else: the rules of git check-ref-format, and no leading dash. */
export function isPlainName(name: string): boolean {
  if (name === "" || name === "@" || name.startsWith("-") || /[ ~^:?*[\\]|\p{Cc}|\.\.|@\{/u.test(name))
    return false;
  return name.split("/").every((part) => part !== "" && !part.startsWith(".") && !/(\.lock|\.)$/.test(part));
}
