/** Pull requests: opened, listed, read, changed, merged. */
import { z } from "zod";
import { closeThread, editThread, reopenThread } from "../acts/issues.ts";
import { isMergeable, mergePull, updateBranch } from "../acts/merge.ts";
import { changeBase, openPull, requestReview, withdrawReviewRequest } from "../acts/pulls.ts";
import { diffFiles, diffText, patchText } from "../git/diff.ts";
import { created, ok, text } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { mayModerate } from "../http/access.ts";
import { listReply } from "../http/paging.ts";
import { Refusal, validationFailed } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { checkBodyLength } from "../http/validate.ts";
import { commitShape, fileShape } from "../shapes/commit.ts";
import { fullPullShape, pullShape, pullUrl } from "../shapes/pull.ts";
import { isPull } from "../state/model.ts";
import type { PullIssue } from "../state/model.ts";
import { isCollaborator } from "../state/repositories.ts";
import { pullOf } from "./find.ts";

export const READ_PULLS = { needs: ["pull_requests:read"], role: "read" } as const;
export const WRITE_PULLS = { needs: ["pull_requests:write"], role: "read" } as const;

const NewPull = z.object({
  title: z.string(),
  head: z.string(),
  base: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().default(false),
  maintainer_can_modify: z.boolean().default(true),
});
const PullEdit = z.object({
  title: z.string().optional(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]).optional(),
  base: z.string().optional(),
});
const Merge = z.object({
  commit_title: z.string().optional(),
  commit_message: z.string().optional(),
  sha: z.string().optional(),
  merge_method: z.enum(["merge", "squash", "rebase"]).default("merge"),
});
const Update = z.object({ expected_head_sha: z.string().optional() });
const Reviewers = z.object({ reviewers: z.array(z.string()).default([]) });

/** GitHub docs: at most 3,000 files and 250 commits of a pull request can be listed. */
const MOST_FILES = 3_000;
const MOST_COMMITS = 250;

export const pullRoutes: readonly RepoRoute[] = [
  inRepo("GET", "/pulls", READ_PULLS, listPulls),
  inRepo("POST", "/pulls", WRITE_PULLS, (call) => call.repo.git.exclusively(() => createPull(call))),
  inRepo("GET", "/pulls/:number#", READ_PULLS, getPull),
  inRepo("PATCH", "/pulls/:number#", WRITE_PULLS, (call) => call.repo.git.exclusively(() => editPull(call))),
  inRepo("GET", "/pulls/:number#/files", READ_PULLS, async (call) => {
    const { pull } = pullOf(call);
    const from = (await call.repo.git.mergeBase(pull.baseSha, pull.headSha)) ?? null;
    const files = (await diffFiles(call.repo.git, from, pull.headSha)).slice(0, MOST_FILES);
    return listReply(call, files, (file) => fileShape(call.world, call.repo, file, pull.headSha));
  }),
  inRepo("GET", "/pulls/:number#/commits", READ_PULLS, async (call) => {
    const { git } = call.repo;
    const { pull } = pullOf(call);
    const ids = await git.log(
      [pull.headSha, `^${pull.baseSha}`],
      ["--reverse", `--max-count=${MOST_COMMITS}`],
    );
    const commits = (await Promise.all(ids.map((id) => git.commit(id)))).flatMap((commit) => commit ?? []);
    return listReply(call, commits, (commit) => commitShape(call.world, call.repo, commit));
  }),
  inRepo("GET", "/pulls/:number#/merge", READ_PULLS, (call) => {
    if (pullOf(call).pull.mergedAt === null) throw new Refusal(404, "Not Found");
    return { status: 204 };
  }),
  inRepo("PUT", "/pulls/:number#/merge", { needs: ["contents:write"], role: "write" }, (call) =>
    call.repo.git.exclusively(async () => {
      const order = call.body(Merge);
      const sha = await mergePull(call.world, call.repo, pullOf(call), call.author, {
        method: order.merge_method,
        title: order.commit_title,
        message: order.commit_message,
        sha: order.sha,
      });
      call.wrote("merge", sha);
      return ok({ sha, merged: true, message: "Pull Request successfully merged" });
    }),
  ),
  inRepo("PUT", "/pulls/:number#/update-branch", WRITE_PULLS, (call) =>
    pullOf(call).pull.headRepo.git.exclusively(async () => {
      const sha = await updateBranch(call.world, call.repo, pullOf(call), call.author, call.body(Update));
      call.wrote("branch-update", sha);
      return {
        status: 202,
        json: { message: "Updating pull request branch.", url: pullUrl(call.world, call.repo, pullOf(call)) },
      };
    }),
  ),
  inRepo("GET", "/pulls/:number#/requested_reviewers", READ_PULLS, (call) =>
    ok({ users: pullShape(call.world, call.repo, pullOf(call)).requested_reviewers, teams: [] }),
  ),
  inRepo("POST", "/pulls/:number#/requested_reviewers", { ...WRITE_PULLS, role: "triage" }, (call) => {
    const issue = pullOf(call);
    for (const account of reviewers(call, issue))
      requestReview(call.world, call.repo, issue, call.author, account);
    return created(pullShape(call.world, call.repo, issue));
  }),
  inRepo("DELETE", "/pulls/:number#/requested_reviewers", { ...WRITE_PULLS, role: "triage" }, (call) => {
    const issue = pullOf(call);
    for (const account of reviewers(call, issue)) {
      withdrawReviewRequest(call.world, call.repo, issue, call.author, account);
    }
    return ok(pullShape(call.world, call.repo, issue));
  }),
];

function reviewers(call: RepoCall, issue: PullIssue) {
  return call.body(Reviewers).reviewers.map((login) => {
    const account = call.world.accounts.find(login);
    if (account?.id === issue.user.id) {
      throw new Refusal(422, "Review cannot be requested from pull request author.");
    }
    if (account === undefined || !isCollaborator(call.repo, account)) {
      throw new Refusal(
        422,
        "Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the repository.",
      );
    }
    return account;
  });
}

function listPulls(call: RepoCall) {
  const state = call.query("state") ?? "open";
  const base = call.query("base");
  const head = call.query("head")?.toLowerCase();
  // GitHub ignores a head without an owner.
  const wanted = head?.includes(":") === true ? head : undefined;
  const key = call.query("sort") === "updated" ? "updatedAt" : "createdAt";
  const direction = call.query("direction") === "asc" ? 1 : -1;
  const found = [...call.repo.issues.values()]
    .filter(isPull)
    .filter(
      (issue) =>
        (state === "all" || issue.state === state) &&
        (base === undefined || issue.pull.baseRef === base) &&
        (wanted === undefined ||
          `${issue.pull.headRepo.owner.login}:${issue.pull.headRef}`.toLowerCase() === wanted),
    );
  found.sort((a, b) => direction * (a[key] - b[key] || a.number - b.number));
  return listReply(call, found, (issue) => pullShape(call.world, call.repo, issue));
}

async function createPull(call: RepoCall) {
  const order = call.body(NewPull);
  if (order.title.trim() === "") {
    throw validationFailed({ resource: "PullRequest", code: "missing_field", field: "title" });
  }
  checkBodyLength(order.body, "PullRequest");
  const issue = await openPull(call.world, call.repo, call.author, {
    title: order.title,
    body: order.body ?? null,
    head: order.head,
    base: order.base,
    draft: order.draft,
    maintainerCanModify: order.maintainer_can_modify,
  });
  call.wrote("pull", issue.number, issue);
  return created(fullPullShape(call.world, call.repo, issue, null));
}

async function getPull(call: RepoCall) {
  const issue = pullOf(call);
  const { git } = call.repo;
  const { pull } = issue;
  if (call.format === "diff" || call.format === "patch") {
    const from = (await git.mergeBase(pull.baseSha, pull.headSha)) ?? null;
    const isDiff = call.format === "diff" || from === null;
    const body = isDiff ? await diffText(git, from, pull.headSha) : await patchText(git, from, pull.headSha);
    return text(`application/vnd.github.v3.${call.format}`, body);
  }
  return ok(fullPullShape(call.world, call.repo, issue, await isMergeable(call.repo, issue)));
}

async function editPull(call: RepoCall) {
  const { world, repo, author } = call;
  const issue = pullOf(call);
  const edit = call.body(PullEdit);
  if (!mayModerate(call, issue.user.id, "triage"))
    throw new Refusal(403, "Must have admin rights to Repository.");
  checkBodyLength(edit.body, "PullRequest");
  call.wrote("pull-edit", issue.number);
  editThread(world, repo, issue, author, { title: edit.title, body: edit.body });
  if (edit.base !== undefined) await changeBase(world, repo, issue, author, edit.base);
  if (edit.state === "closed") closeThread(world, repo, issue, author);
  if (edit.state === "open" && issue.state === "closed") {
    const head = await issue.pull.headRepo.git.ref(`refs/heads/${issue.pull.headRef}`);
    if (issue.pull.mergedAt !== null || head === undefined) {
      throw validationFailed({
        resource: "PullRequest",
        code: "invalid",
        field: "state",
        message: "state cannot be changed. The pull request cannot be reopened.",
      });
    }
    reopenThread(world, repo, issue, author);
  }
  return ok(fullPullShape(world, repo, issue, await isMergeable(repo, issue)));
}
