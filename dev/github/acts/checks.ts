/** Check runs of the App and the suites they belong to. */
import type { Commit } from "../git/objects.ts";
import type { Author, CheckRun, CheckSuite, Repository } from "../state/model.ts";
import { checkRunPayload, suiteShape } from "../shapes/check.ts";
import { emit } from "../webhooks/emit.ts";
import type { World } from "../world.ts";

/** What a create or an update says; undefined leaves a field as it is. */
export type RunFields = {
  readonly name?: string | undefined;
  readonly status?: CheckRun["status"] | undefined;
  readonly conclusion?: string | undefined;
  readonly started_at?: string | undefined;
  readonly completed_at?: string | undefined;
  readonly external_id?: string | undefined;
  readonly details_url?: string | undefined;
  readonly actions?: CheckRun["actions"] | undefined;
  readonly output?:
    | {
        readonly title?: string | undefined;
        readonly summary?: string | undefined;
        readonly text?: string | undefined;
        readonly annotations?: CheckRun["annotations"] | undefined;
      }
    | undefined;
};

/** The App's suite of a commit, made when there is none yet. */
export function suiteFor(
  world: World,
  repo: Repository,
  head: Commit,
  about: { readonly branch: string | null; readonly before: string | null },
): CheckSuite {
  const found = suiteOf(repo, head.oid);
  if (found !== undefined) return found;
  const at = world.now();
  const suite: CheckSuite = {
    id: world.ids.next("checkSuite"),
    head,
    headBranch: about.branch,
    before: about.before,
    createdAt: at,
    updatedAt: at,
  };
  repo.checkSuites.set(suite.id, suite);
  return suite;
}

function suiteOf(repo: Repository, sha: string): CheckSuite | undefined {
  return [...repo.checkSuites.values()].find((suite) => suite.head.oid === sha);
}

/** GitHub makes a suite per App that may write checks, for every commit pushed to the tip of a branch. */
export async function requestSuite(
  world: World,
  repo: Repository,
  by: Author,
  pushed: { readonly branch: string; readonly before: string; readonly after: string },
): Promise<void> {
  if (world.app.permissions["checks"] !== "write" || world.installations.of(repo) === undefined) return;
  const head = await repo.git.commit(pushed.after);
  if (head === undefined || suiteOf(repo, head.oid) !== undefined) return;
  const suite = suiteFor(world, repo, head, pushed);
  emit(world, repo, by, "check_suite", "requested", { check_suite: suiteShape(world, repo, suite) });
}

export function createRun(
  world: World,
  repo: Repository,
  by: Author,
  suite: CheckSuite,
  fields: RunFields,
): CheckRun {
  const run: CheckRun = {
    id: world.ids.next("checkRun"),
    suite,
    name: fields.name ?? "",
    headSha: suite.head.oid,
    status: "queued",
    conclusion: null,
    startedAt: null,
    completedAt: null,
    externalId: "",
    detailsUrl: null,
    title: null,
    summary: null,
    text: null,
    annotations: [],
    actions: [],
  };
  repo.checkRuns.set(run.id, run);
  apply(world, run, fields);
  tell(world, repo, by, run, "created");
  if (run.status === "completed") tellCompleted(world, repo, by, run);
  return run;
}

export function updateRun(
  world: World,
  repo: Repository,
  by: Author,
  run: CheckRun,
  fields: RunFields,
): void {
  const wasDone = run.status === "completed";
  apply(world, run, fields);
  if (run.status === "completed" && !wasDone) tellCompleted(world, repo, by, run);
}

/** GitHub: a conclusion completes the run by itself; annotations are appended, never replaced. */
function apply(world: World, run: CheckRun, fields: RunFields): void {
  run.name = fields.name ?? run.name;
  run.externalId = fields.external_id ?? run.externalId;
  run.detailsUrl = fields.details_url ?? run.detailsUrl;
  run.actions = fields.actions ?? run.actions;
  run.title = fields.output?.title ?? run.title;
  run.summary = fields.output?.summary ?? run.summary;
  run.text = fields.output?.text ?? run.text;
  run.annotations.push(...(fields.output?.annotations ?? []));
  const status = fields.conclusion === undefined ? fields.status : "completed";
  if (status !== undefined && status !== "completed") {
    run.conclusion = null;
    run.completedAt = null;
  }
  run.status = status ?? run.status;
  run.conclusion = fields.conclusion ?? run.conclusion;
  if (fields.started_at !== undefined) run.startedAt = Date.parse(fields.started_at);
  else if (run.startedAt === null) run.startedAt = world.now();
  if (fields.completed_at !== undefined) run.completedAt = Date.parse(fields.completed_at);
  else if (run.status === "completed" && run.completedAt === null) run.completedAt = world.now();
  run.suite.updatedAt = world.now();
}

function tell(
  world: World,
  repo: Repository,
  by: Author,
  run: CheckRun,
  action: string,
  more: object = {},
): void {
  emit(world, repo, by, "check_run", action, { ...more, check_run: checkRunPayload(world, repo, run) });
}

function tellCompleted(world: World, repo: Repository, by: Author, run: CheckRun): void {
  tell(world, repo, by, run, "completed");
  const suite = suiteShape(world, repo, run.suite);
  if (suite.status === "completed") emit(world, repo, by, "check_suite", "completed", { check_suite: suite });
}

/** A person presses "Re-run". */
export function rerequestRun(world: World, repo: Repository, by: Author, run: CheckRun): void {
  tell(world, repo, by, run, "rerequested");
}

/** A person presses one of the run's own buttons. */
export function requestAction(
  world: World,
  repo: Repository,
  by: Author,
  run: CheckRun,
  identifier: string,
): void {
  tell(world, repo, by, run, "requested_action", { requested_action: { identifier } });
}

export function rerequestSuite(world: World, repo: Repository, by: Author, suite: CheckSuite): void {
  emit(world, repo, by, "check_suite", "rerequested", { check_suite: suiteShape(world, repo, suite) });
}
