/** What a request needs from the world, played small: a thread, a repository and containers that do as they are told. */
import type { CheckReport } from "../../src/domain/checks.ts";
import type { FileChange } from "../../src/domain/file-set.ts";
import { GitHubError, type GitHubFault } from "../../src/domain/github-fault.ts";
import type { TreeWrite } from "../../src/domain/github.ts";
import type { CodePort, Ports, ThreadPort } from "../../src/task/ports.ts";
import type { PermissionLevel } from "../../src/triggers/permission.ts";

/** One call that fails. */
export type Trouble = {
  readonly why: GitHubFault["why"];
  readonly detail?: string;
  /** It was done all the same, and only its answer is lost. */
  readonly applied?: true;
  /** What someone else does before the next call. */
  readonly meanwhile?: () => void;
};

export class SmallWorld {
  /** Every call, in order. */
  readonly done: string[] = [];
  readonly comments = new Map<number, string>();
  readonly branches = new Map<string, string>();
  readonly blobs: string[] = [];
  readonly trees: (readonly TreeWrite[])[] = [];
  readonly pulls: { head: string; sha: string; draft: boolean; body: string; state: "open" | "closed" }[] =
    [];
  /** Paths of the repository's root folder, with their texts. */
  files: Readonly<Record<string, string>> = {};
  level: PermissionLevel = "write";
  /** Reads of a branch that do not show it yet. */
  unseen = 0;
  /** Looks for a pull request that come too early to see it. */
  unseenPulls = 0;
  changes: readonly FileChange[] = [];
  verify: () => Promise<CheckReport> = async () => ({ outcome: "passed", results: [] });
  readonly #troubles = new Map<string, Trouble[]>();
  #ids = 900;

  /** The next calls of a method fail like this, one after the other. */
  trouble(method: string, ...troubles: readonly Trouble[]): void {
    this.#troubles.set(method, [...troubles]);
  }

  /** From now on a method fails, until it is told otherwise. */
  broken(method: string, trouble: Trouble): void {
    this.trouble(method, ...Array.from({ length: 1_000 }, () => trouble));
  }

  ports(): Ports {
    const never = () => Promise.reject(new Error("not in this test"));
    return {
      read: {
        permission: () => this.#call("permission", () => this.level),
        repository: never,
        branchHead: never,
        thread: never,
        file: (path) => this.#call("file", () => this.files[path]),
        rootFolder: () =>
          this.#call("rootFolder", () =>
            Object.keys(this.files).map((path) => ({
              path,
              mode: "100644",
              type: "blob",
              sha: "s",
              size: 1,
            })),
          ),
      },
      thread: this.#thread(),
      code: this.#code(),
      model: { turn: never },
      program: { run: never },
      coder: {
        available: true,
        submit: () => this.#call("submit", () => undefined),
        wait: () => this.#call("wait", () => ({ state: "done", text: "The month was counted from zero." })),
        export: () =>
          this.#call("export", () => ({
            ok: true,
            value: { base: { commit: "base", tree: "tree" }, changes: this.changes, skipped: [] },
          })),
        stop: () => this.#call("stop", () => undefined),
      },
      verifier: { verify: () => this.verify() },
    };
  }

  #thread(): ThreadPort {
    return {
      react: () => this.#call("react", () => 1),
      comment: (_, body) =>
        this.#call("comment", () => {
          this.comments.set(++this.#ids, body);
          return { id: this.#ids, url: `u${this.#ids}` };
        }),
      editComment: async (id, body, isOurs) => {
        const now = this.comments.get(id);
        const ours = now !== undefined && (await isOurs(now));
        return this.#call("editComment", () => {
          if (now === body) return "edited";
          if (!ours) return "changed-by-person";
          this.comments.set(id, body);
          return "edited";
        });
      },
      findComment: (_, marker) =>
        this.#call("findComment", () => {
          const found = [...this.comments].find(([, body]) => body.includes(marker));
          return found && { id: found[0], url: `u${found[0]}` };
        }),
    };
  }

  #code(): CodePort {
    return {
      blob: (content) => this.#call("blob", () => `blob-${this.blobs.push(content)}`),
      tree: (_, entries) => this.#call("tree", () => `tree-${this.trees.push(entries)}`),
      commit: () => this.#call("commit", () => "ours"),
      branch: (name) => this.#call("branch", () => (this.unseen-- > 0 ? undefined : this.branches.get(name))),
      createBranch: (name, sha) =>
        this.#call("createBranch", () => {
          if (this.branches.has(name)) throw faultOf({ why: "invalid", detail: "Reference already exists" });
          this.branches.set(name, sha);
        }),
      openPullRequest: ({ head, draft, body }) =>
        this.#call("openPullRequest", () => {
          this.pulls.push({ head, sha: this.branches.get(head) ?? "", draft, body, state: "open" });
          return { number: 6, url: "u6", state: "open", draft, head: "ours" };
        }),
      findPullRequest: (_, head, commit) =>
        this.#call("findPullRequest", () => {
          if (this.unseenPulls-- > 0) return undefined;
          const pull = this.pulls.find((each) => each.head === head && each.sha === commit);
          return pull && { number: 6, url: "u6", state: pull.state, draft: pull.draft, head: commit };
        }),
    };
  }

  async #call<T>(method: string, work: () => T): Promise<T> {
    this.done.push(method);
    const trouble = this.#troubles.get(method)?.shift();
    if (trouble === undefined) return work();
    if (trouble.applied) work();
    trouble.meanwhile?.();
    throw faultOf(trouble);
  }
}

function faultOf({ why, detail = "d" }: Trouble): GitHubError {
  return new GitHubError({ why, status: 0, detail });
}
