/**
 * Everything we read from one repository, with a token that can only read it. No method takes an owner or a
 * repository: whoever holds a reader can reach that one and no other.
 */
import { z } from "zod";
import type { CommitSummary, PinnedCommit, RepositoryNow, TreeEntry } from "../domain/github.ts";
import { fromBase64 } from "../lib/bytes.ts";
import { GitHubError } from "../domain/github-fault.ts";
import { orUndefined, Requester, type RepositoryScope } from "./requester.ts";
import { readThread } from "./thread.ts";
import type { ThreadText } from "../domain/github.ts";
import type { AppCredentials } from "./tokens.ts";

const Repository = z.object({
  id: z.number(),
  owner: z.object({ login: z.string() }),
  name: z.string(),
  default_branch: z.string(),
  private: z.boolean(),
  archived: z.boolean(),
});
const Permission = z.object({
  permission: z.enum(["admin", "write", "read", "none"]).catch("none"),
  user: z.object({ id: z.number() }).nullish(),
});
const Commit = z.object({
  sha: z.string(),
  commit: z.object({
    message: z.string(),
    tree: z.object({ sha: z.string() }),
    author: z.object({ name: z.string().optional(), date: z.string().optional() }).nullish(),
  }),
});
const Tree = z.object({
  truncated: z.boolean(),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string(),
      type: z.enum(["blob", "tree", "commit"]),
      sha: z.string(),
      size: z.number().default(0),
    }),
  ),
});
const Blob = z.object({ content: z.string(), encoding: z.literal("base64") });

export class RepositoryReader {
  readonly #requests: Requester;

  constructor(app: AppCredentials, scope: RepositoryScope) {
    this.#requests = new Requester(app, scope, "read");
  }

  /** The repository as it is named now. */
  async repository(): Promise<RepositoryNow> {
    const { owner, default_branch, ...rest } = await this.#requests.json("GET ", {}, Repository);
    return { ...rest, owner: owner.login, defaultBranch: default_branch };
  }

  /**
   * GitHub REST: `permission` is the highest of all grants. A person GitHub does not know here has none, and one whose
   * login now belongs to another account is unknown.
   */
  async permission(person: { readonly id: number; readonly login: string }) {
    const params = { login: person.login };
    const answer = await orUndefined(
      this.#requests.json("GET /collaborators/{login}/permission", params, Permission),
    );
    if (answer?.user != null && answer.user.id !== person.id) return "unknown" as const;
    return answer?.permission ?? "none";
  }

  /** The commit a branch is at now. A repository without commits throws the fault `empty`. */
  async branchHead(branch: string): Promise<PinnedCommit> {
    const commit = await this.#requests.json("GET /commits/{ref}", { ref: `heads/${branch}` }, Commit);
    return { commit: commit.sha, tree: commit.commit.tree.sha, branch };
  }

  /** All paths of a tree. GitHub cuts at 100,000 entries or 7 MB and says so. */
  async tree(sha: string): Promise<{ entries: readonly TreeEntry[]; truncated: boolean }> {
    const { tree, truncated } = await this.#requests.json(
      "GET /git/trees/{sha}",
      { sha, recursive: "1" },
      Tree,
    );
    return { entries: tree, truncated };
  }

  /** The entries of a tree's root folder: few, and so never cut. */
  async rootFolder(sha: string): Promise<readonly TreeEntry[]> {
    return (await this.#requests.json("GET /git/trees/{sha}", { sha }, Tree)).tree;
  }

  /** The bytes of a blob. A symlink's blob is the link's text: the contents API would follow it. */
  async blob(sha: string): Promise<Uint8Array> {
    const bytes = fromBase64((await this.#requests.json("GET /git/blobs/{sha}", { sha }, Blob)).content);
    if (bytes === undefined)
      throw new GitHubError({ why: "unavailable", status: 200, detail: "a blob was not base64" });
    return bytes;
  }

  /** The text of one file we know to be small, or undefined where there is none. */
  async file(path: string, commit: string): Promise<string | undefined> {
    const params = { path: path.split("/").map(encodeURIComponent).join("/"), ref: commit };
    return orUndefined(
      this.#requests.text("GET /contents/{+path}", params, "application/vnd.github.raw+json"),
    );
  }

  /** The files at a commit as GitHub's gzip'd tar. */
  async tarball(commit: string): Promise<ReadableStream<Uint8Array>> {
    return this.#requests.stream("GET /tarball/{ref}", { ref: commit });
  }

  /** What was said before `asOf`; see `readThread`. */
  async thread(number: number, asOf: string): Promise<ThreadText> {
    return readThread(this.#requests, number, asOf);
  }

  /** Commits that lead to `commit`, newest first, of one path if given. */
  async commits(
    commit: string,
    options: { path?: string | undefined; count: number },
  ): Promise<CommitSummary[]> {
    const params = { sha: commit, per_page: options.count, ...(options.path ? { path: options.path } : {}) };
    const commits = await this.#requests.json("GET /commits", params, z.array(Commit));
    return commits.map(({ sha, commit: { message, author } }) => ({
      sha,
      subject: message.split("\n", 1)[0] ?? "",
      author: author?.name ?? "",
      date: author?.date ?? "",
    }));
  }

  /** A unified diff: of one commit against its parent, or of a pull request against its base. */
  async diff(of: { commit: string } | { pullRequest: number }): Promise<string> {
    const accept = "application/vnd.github.diff";
    return "commit" in of
      ? this.#requests.text("GET /commits/{ref}", { ref: of.commit }, accept)
      : this.#requests.text("GET /pulls/{number}", { number: of.pullRequest }, accept);
  }
}
