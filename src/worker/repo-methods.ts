/**
 * The host's side of what model-written code may call. The token stays in here; one repository, commit and time are in
 * the props, which only this Worker can set. Arguments were checked by the meter in answer/program.ts.
 */
import { WorkerEntrypoint } from "cloudflare:workers";
import { CAPS, type MethodInput, type MethodOutput, type Methods } from "../answer/methods.ts";
import type { TreeEntry } from "../domain/github.ts";
import { RepositoryReader, type RepositoryScope } from "../github/index.ts";
import { keepNewest } from "../lib/keep-newest.ts";
import { globTest } from "../repository/glob.ts";
import { search, sliceLines } from "../repository/search.ts";
import { readSnapshot, textOf, type Snapshot } from "../repository/snapshot.ts";
import type { Env } from "./env.ts";
import { readSettings } from "./settings.ts";

export type RepoMethodsProps = RepositoryScope & {
  readonly commit: string;
  readonly tree: string;
  readonly asOf: string;
  readonly thread: number;
  /** The thread's title and text as they were signed: a later edit cannot put words into them. */
  readonly signed: { readonly title: string; readonly body: string };
};

/** What one commit holds, for as long as the isolate lives and the next repository does not need the room. */
type Kept = { entries?: { entries: readonly TreeEntry[]; truncated: boolean }; snapshot?: Snapshot };
const kept = new Map<string, Kept>();

/** Commits kept at once. A snapshot is at most 16 MB of files, which can be 32 MB as UTF-16; the isolate has 128 MB. */
const MOST_KEPT = 2;

export class RepoMethods extends WorkerEntrypoint<Env, RepoMethodsProps> implements Methods {
  async listFiles({ glob }: MethodInput<"listFiles">): Promise<MethodOutput<"listFiles">> {
    const { entries, truncated } = await this.#tree();
    const inGlob = globTest(glob);
    const files = entries.filter(({ type, path }) => type !== "tree" && inGlob(path));
    return {
      files: files.slice(0, CAPS.paths).map(({ path, size, mode }) => ({ path, size, kind: kindOf(mode) })),
      truncated: truncated || files.length > CAPS.paths,
    };
  }

  async readFile({ path, start, end }: MethodInput<"readFile">): Promise<MethodOutput<"readFile">> {
    const { entries } = await this.#tree();
    const entry = entries.find((each) => each.path === path);
    if (entry === undefined) throw new Error(`there is no file ${path}; listFiles shows what there is`);
    if (entry.type === "tree")
      throw new Error(`${path} is a folder; listFiles({ glob: "${path}/**" }) lists it`);
    if (entry.size > CAPS.fileBytes) throw new Error(`${path} is larger than ${CAPS.fileBytes} bytes`);
    if (entry.type === "commit")
      throw new Error(`${path} is a submodule; its files are in another repository`);
    const text =
      this.#kept().snapshot?.files.find((file) => file.path === path)?.text ?? (await this.#text(entry));
    return { path, ...sliceLines(text, start ?? 1, end, CAPS.lines) };
  }

  async search({ query, regexp, glob, limit }: MethodInput<"search">): Promise<MethodOutput<"search">> {
    const found = search(await this.#snapshot(), { query, regexp, glob, limit: limit ?? CAPS.matches });
    if (!found.ok) throw new Error(found.fault.detail);
    return found.value;
  }

  async readThread({ number }: MethodInput<"readThread">): Promise<MethodOutput<"readThread">> {
    const { thread, asOf, signed } = this.ctx.props;
    const own = number === undefined || number === thread;
    const text = await this.#reader().thread(number ?? thread, asOf);
    return { ...text, ...(own && signed), labels: [...text.labels], comments: [...text.comments] };
  }

  async listCommits({ path, count }: MethodInput<"listCommits">): Promise<MethodOutput<"listCommits">> {
    return { commits: await this.#reader().commits(this.ctx.props.commit, { path, count: count ?? 20 }) };
  }

  async readDiff({ commit, pullRequest }: MethodInput<"readDiff">): Promise<MethodOutput<"readDiff">> {
    const diff = await this.#reader().diff(
      pullRequest === undefined ? { commit: commit ?? this.ctx.props.commit } : { pullRequest },
    );
    return { diff: diff.slice(0, CAPS.diffCharacters), truncated: diff.length > CAPS.diffCharacters };
  }

  #reader(): RepositoryReader {
    const settings = readSettings(this.env);
    if (!settings.ok) throw new Error("the App is not configured");
    return new RepositoryReader(settings.value.app, this.ctx.props);
  }

  /** A commit's content never changes, so what was read once is right for ever. */
  #kept(): Kept {
    const { installation, repositoryId, commit } = this.ctx.props;
    const key = `${installation}:${repositoryId}:${commit}`;
    const known = kept.get(key) ?? {};
    keepNewest(kept, key, known, MOST_KEPT);
    return known;
  }

  async #tree() {
    const known = this.#kept();
    return (known.entries ??= await this.#reader().tree(this.ctx.props.tree));
  }

  async #snapshot(): Promise<Snapshot> {
    const known = this.#kept();
    return (known.snapshot ??= await readSnapshot(await this.#reader().tarball(this.ctx.props.commit)));
  }

  async #text(entry: TreeEntry): Promise<string> {
    const text = textOf(await this.#reader().blob(entry.sha));
    if (text === undefined) throw new Error(`${entry.path} is binary`);
    return text;
  }
}

function kindOf(mode: string): "file" | "symlink" | "submodule" {
  if (mode === "120000") return "symlink";
  return mode === "160000" ? "submodule" : "file";
}
