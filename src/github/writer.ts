/**
 * Everything we write to one repository. Each method is one call and nothing else: whether it was already done is the
 * ledger's question, and it asks with the `find…` methods here.
 */
import { z } from "zod";
import type { NewPullRequest, OpenedPullRequest, PostedComment, TreeWrite } from "../domain/github.ts";
import { GitHubError } from "../domain/github-fault.ts";
import { plainText } from "../lib/plain-text.ts";
import { orUndefined, Requester, type RepositoryScope } from "./requester.ts";
import type { AppCredentials } from "./tokens.ts";

const Id = z.object({ id: z.number() });
const Sha = z.object({ sha: z.string() });
const Ref = z.object({ object: z.object({ sha: z.string() }) });
const Comment = z.object({
  id: z.number(),
  html_url: z.string(),
  body: z.string().nullish(),
  performed_via_github_app: z.object({ id: z.number() }).nullish(),
});
const PullRequest = z.object({
  number: z.number(),
  html_url: z.string(),
  state: z.enum(["open", "closed"]),
  draft: z.boolean().default(false),
  head: z.object({ sha: z.string(), ref: z.string() }),
});

/** What the thread's reports need: reactions and comments, nothing that touches code. */
export class ThreadWriter {
  readonly #requests: Requester;
  readonly #appId: number;

  constructor(app: AppCredentials, scope: RepositoryScope) {
    this.#requests = new Requester(app, scope, "report");
    this.#appId = Number(app.appId);
  }

  /** GitHub answers 201 the first time and 200 when the reaction is already there. */
  async react(to: { comment: number } | { issue: number }, content: "eyes"): Promise<number> {
    const reaction =
      "comment" in to
        ? this.#requests.json("POST /issues/comments/{id}/reactions", { id: to.comment, content }, Id)
        : this.#requests.json("POST /issues/{number}/reactions", { number: to.issue, content }, Id);
    return (await reaction).id;
  }

  async comment(number: number, body: string): Promise<PostedComment> {
    const posted = await this.#requests.json("POST /issues/{number}/comments", { number, body }, Comment);
    return { id: posted.id, url: posted.html_url };
  }

  /**
   * Edit a comment of ours, unless a person was there first.
   * @param isOurs whether what it says now is one of the texts we wrote
   */
  async editComment(
    id: number,
    body: string,
    isOurs: (says: string) => Promise<boolean>,
  ): Promise<"edited" | "changed-by-person"> {
    const now = await orUndefined(this.#requests.json("GET /issues/comments/{id}", { id }, Comment));
    if (now === undefined) return "changed-by-person";
    const says = now.body ?? "";
    if (plainText(says) === plainText(body)) return "edited";
    if (!(await isOurs(says))) return "changed-by-person";
    const edited = this.#requests.json("PATCH /issues/comments/{id}", { id, body }, Comment);
    return (await orUndefined(edited)) === undefined ? "changed-by-person" : "edited";
  }

  /**
   * Our own comment that holds `marker`, written since `since`. Anyone can copy a hidden marker into a comment of
   * theirs, so only one that GitHub says our App posted counts. The oldest is ours to keep.
   */
  async findComment(number: number, marker: string, since: string): Promise<PostedComment | undefined> {
    for (let page = 1; ; page++) {
      const params = { number, since, per_page: 100, page };
      const found = await this.#requests.json("GET /issues/{number}/comments", params, z.array(Comment));
      const ours = found.find(
        (comment) => comment.performed_via_github_app?.id === this.#appId && comment.body?.includes(marker),
      );
      if (ours !== undefined) return { id: ours.id, url: ours.html_url };
      if (found.length < 100) return undefined;
    }
  }
}

/** What publishing needs: git objects, one branch, one pull request. */
export class CodeWriter {
  readonly #requests: Requester;

  constructor(app: AppCredentials, scope: RepositoryScope) {
    this.#requests = new Requester(app, scope, "publish");
  }

  /** @param content base64 */
  async blob(content: string): Promise<string> {
    return (await this.#requests.json("POST /git/blobs", { content, encoding: "base64" }, Sha)).sha;
  }

  /** GitHub makes blobs of entries with `content`; `sha: null` deletes a path. */
  async tree(base: string, entries: readonly TreeWrite[]): Promise<string> {
    return (await this.#requests.json("POST /git/trees", { base_tree: base, tree: entries }, Sha)).sha;
  }

  /** Without author and committer, so that GitHub signs it in the App's name. */
  async commit(message: string, tree: string, parent: string): Promise<string> {
    return (await this.#requests.json("POST /git/commits", { message, tree, parents: [parent] }, Sha)).sha;
  }

  /** The commit a branch is at, or undefined where there is no such branch. */
  async branch(name: string): Promise<string | undefined> {
    return (await orUndefined(this.#requests.json("GET /git/ref/{+ref}", { ref: `heads/${name}` }, Ref)))
      ?.object.sha;
  }

  /** GitHub answers 422 "Reference already exists" for a branch that is there: the fault `invalid`. */
  async createBranch(name: string, sha: string): Promise<void> {
    await this.#requests.done("POST /git/refs", { ref: `refs/heads/${name}`, sha });
  }

  /**
   * A draft where drafts are to be had: private repositories of some plans have none, and GitHub answers 422 "Draft
   * pull requests are not supported in this repository."
   */
  async openPullRequest(pull: NewPullRequest): Promise<OpenedPullRequest> {
    try {
      return opened(await this.#requests.json("POST /pulls", pull, PullRequest));
    } catch (thrown) {
      const undraftable =
        thrown instanceof GitHubError && /draft pull requests are not/i.test(thrown.fault.detail);
      if (!pull.draft || !undraftable) throw thrown;
      return opened(await this.#requests.json("POST /pulls", { ...pull, draft: false }, PullRequest));
    }
  }

  /**
   * The one whose head is `commit`: an older one of the same branch name is another's. Of any state: a pull request
   * that a person closed is an answer, and is not opened again.
   */
  async findPullRequest(owner: string, head: string, commit: string): Promise<OpenedPullRequest | undefined> {
    const params = { head: `${owner}:${head}`, state: "all", per_page: 100 };
    const found = await this.#requests.json("GET /pulls", params, z.array(PullRequest));
    const pull = found.find((each) => each.head.ref === head && each.head.sha === commit);
    return pull && opened(pull);
  }
}

function opened(pull: z.output<typeof PullRequest>): OpenedPullRequest {
  return {
    number: pull.number,
    url: pull.html_url,
    state: pull.state,
    draft: pull.draft,
    head: pull.head.sha,
  };
}
