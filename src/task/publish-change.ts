/** From judged files to a pull request: blobs, tree, commit, branch, pull request, each once. */
import type { Proposal } from "../answer/tools.ts";
import type { CheckReport } from "../domain/checks.ts";
import type { FileChange, FileSet } from "../domain/file-set.ts";
import type { OpenedPullRequest, TreeWrite } from "../domain/github.ts";
import { GitHubError, type GitHubFault } from "../domain/github-fault.ts";
import type { RequestEnd } from "../domain/request.ts";
import { fromBase64 } from "../lib/bytes.ts";
import { fail, pass, type Result } from "../lib/result.ts";
import { branchName } from "../publish/branch.ts";
import type { Judged } from "../publish/judge.ts";
import { commitMessage, pullRequestBody, pullRequestTitle, type ChangeStory } from "../publish/text.ts";
import { refusePermission } from "../triggers/permission.ts";
import { verdict } from "../report/sections.ts";
import { failed, failedBy, type Failed, type Pinned, type Run } from "./run.ts";

export type Change = {
  readonly proposal: Proposal;
  readonly judged: Judged;
  readonly set: FileSet;
  readonly summary: string;
  readonly checks: CheckReport;
};

/** Names tried before giving up: `…`, `…-2`, up to `…-9`. */
const MAX_NAMES = 9;

/** Publish what was judged and tested. The caller has seen to it that there is something to publish. */
export async function publishChange(
  run: Run,
  pinned: Pinned,
  change: Change,
): Promise<Exclude<RequestEnd, { state: "refused" }>> {
  const { event } = run.request;
  // Permission may have gone while the agent worked: asked again before anything becomes visible.
  const level = await run.journal.github("permission:publish", () => run.ports.read.permission(event.sender));
  if (!level.ok) return failedBy(level.fault, "publish");
  if (refusePermission(level.value) !== undefined) {
    return failed("permission-lost");
  }
  const story: ChangeStory = {
    issue: event.thread.number,
    onPullRequest: event.thread.onPullRequest,
    title: change.proposal.title,
    asker: event.sender,
    brief: change.proposal.brief,
    summary: change.summary,
    checks: change.checks,
    refused: change.judged.refused,
    skipped: change.set.skipped,
  };
  const commit = await makeCommit(run, pinned, change, story);
  if (!commit.ok) return failedBy(commit.fault, "publish");
  const branch = await makeBranch(run, commit.value, story);
  if (!branch.ok) return branch.fault;
  const proven = change.checks.outcome === "passed" && change.checks.changesHowItIsTested === undefined;
  const opened = await openPull(run, pinned, { branch: branch.value, commit: commit.value }, story, !proven);
  if (!opened.ok) return failedBy(opened.fault, "publish");
  if (opened.value.state === "closed") return failed("pull-request-closed");
  return {
    state: "opened",
    pullRequest: { number: opened.value.number, url: opened.value.url },
    draft: opened.value.draft,
    verdict: verdict(change.checks),
    files: change.judged.accepted.map(({ path }) => path),
    leftOut: change.judged.refused.length + change.set.skipped.length,
    summary: change.summary,
  };
}

/** Blobs and trees are named by their content: made twice they are the same, so they need no ledger. */
async function makeCommit(
  run: Run,
  { head }: Pinned,
  change: Change,
  story: ChangeStory,
): Promise<Result<string, GitHubFault>> {
  const { code } = run.ports;
  const entries: TreeWrite[] = [];
  for (const [index, each] of change.judged.accepted.entries()) {
    const entry = await treeEntry(run, each, index);
    if (!entry.ok) return entry;
    entries.push(entry.value);
  }
  const tree = await run.journal.github("tree", () => code.tree(head.tree, entries));
  if (!tree.ok) return tree;
  const key = `${run.request.id}:commit`;
  return run.journal.github(key, () =>
    run.ledger.perform({
      key,
      kind: "commit",
      // Sent twice it leaves a commit that nothing points to, which GitHub drops in time.
      send: () => code.commit(commitMessage(story), tree.value, head.commit),
    }),
  );
}

/**
 * Text goes with the tree, other bytes by a blob of their own, each its own step: a rate limit in the middle of many
 * must not send the first ones again.
 */
async function treeEntry(
  run: Run,
  change: FileChange,
  index: number,
): Promise<Result<TreeWrite, GitHubFault>> {
  const { path } = change;
  if (change.op === "delete") return pass({ path, mode: "100644", type: "blob", sha: null });
  const { mode } = change;
  const text = asText(change.content);
  if (text !== undefined) return pass({ path, mode, type: "blob", content: text });
  const blob = await run.journal.github(`blob:${index}`, () => run.ports.code.blob(change.content));
  return blob.ok ? pass({ path, mode, type: "blob", sha: blob.value }) : blob;
}

/** The text that these bytes are, or undefined where UTF-8 would not give them back. */
function asText(base64: string): string | undefined {
  const bytes = fromBase64(base64);
  // An empty text in a tree is not documented to be a file; an empty blob is one.
  if (bytes === undefined || bytes.length === 0 || bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The first free name. A branch that is there and is not at our commit belongs to someone else. */
async function makeBranch(run: Run, commit: string, story: ChangeStory): Promise<Result<string, Failed>> {
  const { code } = run.ports;
  for (let attempt = 1; attempt <= MAX_NAMES; attempt++) {
    const name = branchName(story.issue, story.title, attempt);
    const key = `${run.request.id}:branch:${attempt}`;
    const made = await run.journal.github(key, () =>
      run.ledger.perform({
        key,
        kind: "branch",
        send: () => createOrFindTaken(run, name, commit),
        probe: async () => ((await code.branch(name)) === commit ? "made" : undefined),
      }),
    );
    if (!made.ok) return fail(failedBy(made.fault, "publish"));
    if (made.value === "made") return pass(name);
  }
  return fail(failed("branch-taken"));
}

async function createOrFindTaken(run: Run, name: string, commit: string): Promise<"made" | "taken"> {
  const { code } = run.ports;
  try {
    await code.createBranch(name, commit);
    return "made";
  } catch (thrown) {
    // GitHub REST: 422 "Reference already exists"; a folder of that name conflicts likewise. It may be our own, from a
    // try whose answer was lost.
    const refused = thrown instanceof GitHubError && thrown.fault.why === "invalid";
    if (!refused || !/reference/i.test(thrown.fault.detail)) throw thrown;
    const there = await code.branch(name);
    // It exists and cannot be seen yet: that is no answer, and is asked again.
    if (there === undefined && /already exists/i.test(thrown.fault.detail))
      throw new GitHubError({ ...thrown.fault, why: "unavailable" });
    return there === commit ? "made" : "taken";
  }
}

/**
 * GitHub REST: 422 "A pull request already exists" for a branch. It is ours, from a try whose answer was lost, and the
 * list may be late to show it: then this counts as no answer, and is tried again.
 */
async function openOrFind(
  open: () => Promise<OpenedPullRequest>,
  find: () => Promise<OpenedPullRequest | undefined>,
): Promise<OpenedPullRequest> {
  try {
    return await open();
  } catch (thrown) {
    const there = thrown instanceof GitHubError && thrown.fault.why === "invalid";
    if (!there || !/pull request already exists/i.test(thrown.fault.detail)) throw thrown;
    const found = await find();
    if (found !== undefined) return found;
    throw new GitHubError({ ...thrown.fault, why: "unavailable" });
  }
}

type Made = { readonly branch: string; readonly commit: string };

function openPull(run: Run, { repository, head }: Pinned, made: Made, story: ChangeStory, draft: boolean) {
  const key = `${run.request.id}:pull-request`;
  const find = () => run.ports.code.findPullRequest(repository.owner, made.branch, made.commit);
  const pull = {
    title: pullRequestTitle(story),
    body: pullRequestBody(story),
    head: made.branch,
    base: head.branch,
    draft,
  };
  return run.journal.github(key, () =>
    run.ledger.perform({
      key,
      kind: "pull-request",
      send: () => openOrFind(() => run.ports.code.openPullRequest(pull), find),
      probe: find,
    }),
  );
}
