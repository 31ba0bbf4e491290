/** Check runs, check suites and commit statuses as GitHub's REST and webhooks present them. */
import { nodeId } from "../state/ids.ts";
import { isPull } from "../state/model.ts";
import type { CheckRun, CheckSuite, CommitStatus, Repository } from "../state/model.ts";
import type { World } from "../world.ts";
import { appShape } from "./app.ts";
import { repositoryUrl, repositoryWebUrl } from "./repository.ts";
import { iso, isoOrNull } from "./time.ts";
import { userShape } from "./user.ts";

/** Open pull requests of this repository whose head is `sha`; heads in forks are not detected, as on GitHub. */
function pullsAt(world: World, repo: Repository, sha: string): object[] {
  const brief = { id: repo.id, url: repositoryUrl(world, repo), name: repo.name };
  return [...repo.issues.values()].filter(isPull).flatMap((issue) => {
    const { pull } = issue;
    if (issue.state !== "open" || pull.headSha !== sha || pull.headRepo !== repo) return [];
    return [
      {
        url: `${brief.url}/pulls/${issue.number}`,
        id: pull.id,
        number: issue.number,
        head: { ref: pull.headRef, sha: pull.headSha, repo: brief },
        base: { ref: pull.baseRef, sha: pull.baseSha, repo: brief },
      },
    ];
  });
}

export function checkRunShape(world: World, repo: Repository, run: CheckRun) {
  const url = `${repositoryUrl(world, repo)}/check-runs/${run.id}`;
  const web = `${repositoryWebUrl(world, repo)}/runs/${run.id}`;
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId("CheckRun", run.id),
    head_sha: run.headSha,
    external_id: run.externalId,
    url,
    html_url: web,
    details_url: run.detailsUrl ?? web,
    status: run.status,
    conclusion: run.conclusion,
    started_at: isoOrNull(run.startedAt),
    completed_at: isoOrNull(run.completedAt),
    output: {
      title: run.title,
      summary: run.summary,
      text: run.text,
      annotations_count: run.annotations.length,
      annotations_url: `${url}/annotations`,
    },
    check_suite: { id: run.suite.id },
    app: appShape(world),
    pull_requests: pullsAt(world, repo, run.headSha),
  };
}

/** In webhooks the run carries its whole suite and the actions a person may ask for. */
export function checkRunPayload(world: World, repo: Repository, run: CheckRun): object {
  return {
    ...checkRunShape(world, repo, run),
    check_suite: suiteShape(world, repo, run.suite),
    actions: run.actions,
  };
}

/** A suite's status follows its runs: completed when all are, with the worst conclusion. */
export function suiteShape(world: World, repo: Repository, suite: CheckSuite) {
  const runs = [...repo.checkRuns.values()].filter((run) => run.suite === suite);
  const done = runs.length > 0 && runs.every((run) => run.status === "completed");
  const worst = [
    "failure",
    "timed_out",
    "cancelled",
    "action_required",
    "neutral",
    "success",
    "skipped",
  ].find((conclusion) => runs.some((run) => run.conclusion === conclusion));
  const url = `${repositoryUrl(world, repo)}/check-suites/${suite.id}`;
  return {
    id: suite.id,
    node_id: nodeId("CheckSuite", suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.head.oid,
    status: done ? "completed" : runs.some((run) => run.status !== "queued") ? "in_progress" : "queued",
    conclusion: done ? (worst ?? null) : null,
    url,
    before: suite.before,
    after: suite.head.oid,
    pull_requests: pullsAt(world, repo, suite.head.oid),
    head_commit: {
      id: suite.head.oid,
      tree_id: suite.head.tree,
      message: suite.head.message.replace(/\n+$/, ""),
      timestamp: iso(suite.head.committer.at * 1000),
      author: { name: suite.head.author.name, email: suite.head.author.email },
      committer: { name: suite.head.committer.name, email: suite.head.committer.email },
    },
    app: appShape(world),
    created_at: iso(suite.createdAt),
    updated_at: iso(suite.updatedAt),
    rerequestable: true,
    runs_rerequestable: true,
    latest_check_runs_count: runs.length,
    check_runs_url: `${url}/check-runs`,
  };
}

export function statusShape(world: World, repo: Repository, status: CommitStatus) {
  const creator = userShape(world, status.creator);
  return {
    url: `${repositoryUrl(world, repo)}/statuses/${status.sha}`,
    avatar_url: creator.avatar_url,
    id: status.id,
    node_id: nodeId("Status", status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: iso(status.createdAt),
    updated_at: iso(status.createdAt),
    creator,
  };
}
