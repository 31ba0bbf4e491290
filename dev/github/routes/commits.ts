/** Commits: listed, read as JSON, diff or patch, compared; and the statuses people's CI puts on them. */
import { z } from "zod";
import { diffFiles, diffText, patchText } from "../git/diff.ts";
import type { FileDiff } from "../git/diff.ts";
import type { Commit } from "../git/objects.ts";
import { created, ok, text } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { linkHeader, listReply, pageOf } from "../http/paging.ts";
import { notFound, unprocessable } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { statusShape } from "../shapes/check.ts";
import { commitShape, fileShape, statsOf } from "../shapes/commit.ts";
import { pullShape } from "../shapes/pull.ts";
import { repositoryShape, repositoryUrl } from "../shapes/repository.ts";
import { isPull } from "../state/model.ts";
import type { CommitStatus } from "../state/model.ts";
import { requireCommits } from "./find.ts";
import { READ_CONTENTS } from "./git-data.ts";

const READ_STATUSES = { needs: ["statuses:read"], role: "read" } as const;
const NewStatus = z.object({
  state: z.enum(["error", "failure", "pending", "success"]),
  target_url: z.string().nullish(),
  description: z.string().nullish(),
  context: z.string().default("default"),
});

export const commitRoutes: readonly RepoRoute[] = [
  inRepo("GET", "/commits", READ_CONTENTS, listCommits),
  inRepo("GET", "/commits/:ref+/status", READ_STATUSES, async (call) => {
    const commit = await commitAt(call);
    const latest = latestPerContext(statusesOf(call, commit));
    const url = `${repositoryUrl(call.world, call.repo)}/commits/${commit.oid}`;
    return ok({
      state: combined(latest),
      statuses: latest.map((one) => statusShape(call.world, call.repo, one)),
      sha: commit.oid,
      total_count: latest.length,
      repository: repositoryShape(call.world, call.repo),
      commit_url: url,
      url: `${url}/status`,
    });
  }),
  inRepo("GET", "/commits/:ref+/statuses", READ_STATUSES, async (call) =>
    listReply(call, statusesOf(call, await commitAt(call)), (one) => statusShape(call.world, call.repo, one)),
  ),
  inRepo("POST", "/statuses/:ref", { needs: ["statuses:write"], role: "write" }, createStatus),
  inRepo("GET", "/commits/:ref/pulls", { needs: ["pull_requests:read"], role: "read" }, async (call) => {
    const commit = await commitAt(call);
    const pulls = [...call.repo.issues.values()].filter(isPull);
    const found = pulls.filter(({ pull }) => [pull.headSha, pull.mergeCommitSha].includes(commit.oid));
    return listReply(call, found, (issue) => pullShape(call.world, call.repo, issue));
  }),
  inRepo("GET", "/commits/:ref+", READ_CONTENTS, getCommit),
  inRepo("GET", "/compare/:basehead+", READ_CONTENTS, compare),
];

async function commitAt(call: RepoCall): Promise<Commit> {
  await requireCommits(call);
  const commit = await call.repo.git.commitAt(call.param("ref"));
  if (commit === undefined) throw unprocessable(`No commit found for SHA: ${call.param("ref")}`);
  return commit;
}

async function listCommits(call: RepoCall) {
  await requireCommits(call);
  const { git } = call.repo;
  const start = await git.commitAt(call.query("sha") ?? call.repo.defaultBranch);
  if (start === undefined) throw notFound();
  const options: string[] = [];
  for (const [name, option] of [
    ["since", "--since"],
    ["until", "--until"],
  ] as const) {
    const at = Date.parse(call.query(name) ?? "");
    if (!Number.isNaN(at)) options.push(`${option}=${Math.floor(at / 1000)}`);
  }
  const author = call.query("author");
  if (author !== undefined) options.push("--fixed-strings", `--author=${author}`);
  const ids = await git.log([start.oid], options, call.query("path"));
  const page = pageOf(call);
  const from = (page.page - 1) * page.perPage;
  const commits = await Promise.all(ids.slice(from, from + page.perPage).map((id) => git.commit(id)));
  const list = commits.flatMap((commit) =>
    commit === undefined ? [] : [commitShape(call.world, call.repo, commit)],
  );
  return ok(list, linkHeader(call, page, ids.length));
}

async function getCommit(call: RepoCall) {
  const commit = await commitAt(call);
  const { git } = call.repo;
  const parent = commit.parents[0] ?? null;
  switch (call.format) {
    case "sha":
      return text("application/vnd.github.v3.sha", commit.oid);
    case "diff":
      return text("application/vnd.github.v3.diff", await diffText(git, parent, commit.oid));
    case "patch":
      return text(
        "application/vnd.github.v3.patch",
        parent === null ? await diffText(git, null, commit.oid) : await patchText(git, parent, commit.oid),
      );
    default: {
      const files = await diffFiles(git, parent, commit.oid);
      const shown = files
        .slice(0, MOST_FILES)
        .map((file) => fileShape(call.world, call.repo, file, commit.oid));
      return ok({ ...commitShape(call.world, call.repo, commit), stats: statsOf(files), files: shown });
    }
  }
}

/** GitHub docs: a commit and a comparison show at most 300 files, a comparison 250 commits. */
const MOST_FILES = 300;
const MOST_COMMITS = 250;

/** GET /repos/{owner}/{repo}/compare/{base}...{head}; either side may be `owner:ref` of this repository. */
async function compare(call: RepoCall) {
  await requireCommits(call);
  const { world, repo } = call;
  const { git } = repo;
  const [left, right] = call.param("basehead").split("...");
  const own = (name: string | undefined) =>
    (name ?? "").replace(new RegExp(`^${repo.owner.login}:`, "i"), "");
  const base = await git.commitAt(own(left));
  const head = await git.commitAt(own(right));
  if (base === undefined || head === undefined) throw notFound();
  const mergeBase = await git.mergeBase(base.oid, head.oid);
  const ancestor = mergeBase === undefined ? undefined : await git.commit(mergeBase);
  if (ancestor === undefined) {
    throw unprocessable(`No common ancestor between ${own(left)} and ${own(right)}.`);
  }
  if (call.format === "diff") {
    return text("application/vnd.github.v3.diff", await diffText(git, ancestor.oid, head.oid));
  }
  if (call.format === "patch") {
    return text("application/vnd.github.v3.patch", await patchText(git, ancestor.oid, head.oid));
  }
  const ahead = await git.log([head.oid, `^${base.oid}`], ["--reverse"]);
  const behind = await git.log([base.oid, `^${head.oid}`]);
  const files: FileDiff[] = await diffFiles(git, ancestor.oid, head.oid);
  const commits = await Promise.all(ahead.slice(-MOST_COMMITS).map((id) => git.commit(id)));
  const url = `${repositoryUrl(world, repo)}/compare/${call.param("basehead")}`;
  const web = `${world.url}/${repo.owner.login}/${repo.name}/compare/${call.param("basehead")}`;
  return ok({
    url,
    html_url: web,
    permalink_url: `${world.url}/${repo.owner.login}/${repo.name}/compare/${base.oid}...${head.oid}`,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    base_commit: commitShape(world, repo, base),
    merge_base_commit: commitShape(world, repo, ancestor),
    status: relation(ahead.length, behind.length),
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: commits.flatMap((commit) => (commit === undefined ? [] : [commitShape(world, repo, commit)])),
    files: files.slice(0, MOST_FILES).map((file) => fileShape(world, repo, file, head.oid)),
  });
}

function relation(ahead: number, behind: number): "identical" | "ahead" | "behind" | "diverged" {
  if (ahead === 0) return behind === 0 ? "identical" : "behind";
  return behind === 0 ? "ahead" : "diverged";
}

/** Newest first. */
function statusesOf(call: RepoCall, commit: Commit): CommitStatus[] {
  return call.repo.statuses.filter((status) => status.sha === commit.oid).toReversed();
}

function latestPerContext(newestFirst: readonly CommitStatus[]): CommitStatus[] {
  const seen = new Set<string>();
  return newestFirst.filter(({ context }) => !seen.has(context) && seen.add(context));
}

function combined(latest: readonly CommitStatus[]): "failure" | "pending" | "success" {
  if (latest.some((one) => one.state === "error" || one.state === "failure")) return "failure";
  return latest.length > 0 && latest.every((one) => one.state === "success") ? "success" : "pending";
}

async function createStatus(call: RepoCall) {
  const order = call.body(NewStatus);
  const commit = await call.repo.git.commit(call.param("ref"));
  if (commit === undefined) throw unprocessable(`No commit found for SHA: ${call.param("ref")}`);
  const status: CommitStatus = {
    id: call.world.ids.next("status"),
    sha: commit.oid,
    state: order.state,
    context: order.context,
    description: order.description ?? null,
    targetUrl: order.target_url ?? null,
    creator: call.author.account,
    createdAt: call.world.now(),
  };
  call.repo.statuses.push(status);
  call.wrote("status", status.id, status);
  return created(statusShape(call.world, call.repo, status));
}
