/** From judged files to a pull request: blobs, tree, commit, branch, pull request, each once. */
import type { Proposal } from "../answer/tools.ts";
import type { CheckReport } from "../domain/checks.ts";
import type { FileChange, FileSet } from "../domain/file-set.ts";
import { GitHubError, type GitHubFault } from "../domain/github-fault.ts";
import type { RequestEnd } from "../domain/request.ts";
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

export async function publishChange(
  run: Run,
  pinned: Pinned,
  change: Change,
): Promise<Exclude<RequestEnd, { state: "refused" }>> {
  const { event } = run.request;
  // Permission may have gone while the agent worked: asked again before anything becomes visible.
  const level = await run.journal.github("permission:publish", () =>
    run.ports.read.permission(event.sender.login),
  );
  if (!level.ok) return failedBy(level.fault);
  if (refusePermission(level.value) !== undefined) {
    return failed("github-forbidden", `${event.sender.login} no longer has write permission here`);
  }
  const story: ChangeStory = {
    issue: event.thread.number,
    title: change.proposal.title,
    asker: event.sender,
    brief: change.proposal.brief,
    summary: change.summary,
    checks: change.checks,
    refused: change.judged.refused,
    skipped: change.set.skipped,
  };
  const commit = await makeCommit(run, pinned, change, story);
  if (!commit.ok) return failedBy(commit.fault);
  const branch = await makeBranch(run, commit.value, story);
  if (!branch.ok) return branch.fault;
  const opened = await openPull(run, pinned, branch.value, story, change.checks.outcome !== "passed");
  if (!opened.ok) return failedBy(opened.fault);
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
  const tree = await run.journal.github("tree", async () => {
    const entries = [];
    for (const each of change.judged.accepted) entries.push(await treeEntry(run, each));
    return code.tree(head.tree, entries);
  });
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

async function treeEntry(run: Run, change: FileChange) {
  if (change.op === "delete") return { path: change.path, mode: "100644", type: "blob" as const, sha: null };
  return {
    path: change.path,
    mode: change.mode,
    type: "blob" as const,
    sha: await run.ports.code.blob(change.content),
  };
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
    if (!made.ok) return fail(failedBy(made.fault));
    if (made.value === "made") return pass(name);
  }
  return fail(failed("branch-taken"));
}

async function createOrFindTaken(run: Run, name: string, commit: string): Promise<"made" | "taken"> {
  try {
    await run.ports.code.createBranch(name, commit);
    return "made";
  } catch (thrown) {
    // GitHub REST: 422 "Reference already exists"; a folder of that name conflicts likewise.
    const taken =
      thrown instanceof GitHubError &&
      thrown.fault.why === "invalid" &&
      /reference/i.test(thrown.fault.detail);
    if (taken) return "taken";
    throw thrown;
  }
}

function openPull(
  run: Run,
  { repository, head }: Pinned,
  branch: string,
  story: ChangeStory,
  draft: boolean,
) {
  const { code } = run.ports;
  const key = `${run.request.id}:pull-request`;
  const pull = {
    title: pullRequestTitle(story),
    body: pullRequestBody(story),
    head: branch,
    base: head.branch,
    draft,
  };
  return run.journal.github(key, () =>
    run.ledger.perform({
      key,
      kind: "pull-request",
      send: () => code.openPullRequest(pull),
      probe: () => code.findPullRequest(repository.owner, branch, head.branch),
    }),
  );
}
