/** Check runs and suites. GitHub: only Apps may write check runs; people re-run them. */
import { z } from "zod";
import { createRun, rerequestRun, rerequestSuite, suiteFor, updateRun } from "../acts/checks.ts";
import type { RunFields } from "../acts/checks.ts";
import { OBJECT_ID } from "../git/store.ts";
import { created, ok } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { listReply } from "../http/paging.ts";
import { Refusal, notFound, unprocessable } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { checkRunShape, suiteShape } from "../shapes/check.ts";
import { repositoryShape } from "../shapes/repository.ts";
import { isPull } from "../state/model.ts";
import type { CheckRun, CheckSuite } from "../state/model.ts";

const READ_CHECKS = { needs: ["checks:read"], role: "read" } as const;
const WRITE_CHECKS = { needs: ["checks:write"], role: "read" } as const;
const RERUN = { needs: ["checks:write"], role: "write" } as const;

/** GitHub docs: summary and text hold 65,535 characters, a request 50 annotations, a run 3 actions. */
const LongText = z.string().max(65_535);
const AnnotationBody = z.object({
  path: z.string(),
  start_line: z.number().int(),
  end_line: z.number().int(),
  start_column: z.number().int().nullable().default(null),
  end_column: z.number().int().nullable().default(null),
  annotation_level: z.enum(["notice", "warning", "failure"]),
  message: z.string().max(65_536),
  title: z.string().max(255).nullable().default(null),
  raw_details: z.string().max(65_536).nullable().default(null),
});
const Output = z.object({
  title: z.string().optional(),
  summary: LongText.optional(),
  text: LongText.optional(),
  annotations: z.array(AnnotationBody).max(50).optional(),
});
const Fields = z.object({
  name: z.string().optional(),
  status: z.enum(["queued", "in_progress", "completed"]).optional(),
  conclusion: z
    .enum(["action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"])
    .optional(),
  started_at: z.iso.datetime({ offset: true }).optional(),
  completed_at: z.iso.datetime({ offset: true }).optional(),
  external_id: z.string().optional(),
  details_url: z.string().optional(),
  actions: z
    .array(
      z.object({
        label: z.string().max(20),
        description: z.string().max(40),
        identifier: z.string().max(20),
      }),
    )
    .max(3)
    .optional(),
  output: Output.optional(),
});
const NewRun = Fields.extend({
  name: z.string(),
  head_sha: z.string(),
  output: Output.extend({ title: z.string(), summary: LongText }).optional(),
});

export const checkRoutes: readonly RepoRoute[] = [
  inRepo("POST", "/check-runs", WRITE_CHECKS, async (call) => {
    requireApp(call);
    const { head_sha: sha, ...fields } = call.body(NewRun);
    const head = OBJECT_ID.test(sha) ? await call.repo.git.commit(sha) : undefined;
    if (head === undefined) throw unprocessable(`No commit found for SHA: ${sha}`);
    requireConclusion(fields);
    const suite = suiteFor(call.world, call.repo, head, { branch: branchOf(call, sha), before: null });
    const run = createRun(call.world, call.repo, call.author, suite, fields);
    call.wrote("check-run", run.id, run);
    return created(checkRunShape(call.world, call.repo, run));
  }),
  inRepo("GET", "/check-runs/:id#", READ_CHECKS, (call) =>
    ok(checkRunShape(call.world, call.repo, runOf(call))),
  ),
  inRepo("PATCH", "/check-runs/:id#", WRITE_CHECKS, (call) => {
    requireApp(call);
    const run = runOf(call);
    const fields = call.body(Fields);
    requireConclusion(fields);
    updateRun(call.world, call.repo, call.author, run, fields);
    call.wrote("check-run-edit", run.id);
    return ok(checkRunShape(call.world, call.repo, run));
  }),
  inRepo("GET", "/check-runs/:id#/annotations", READ_CHECKS, (call) =>
    listReply(call, runOf(call).annotations, (annotation) => annotation),
  ),
  inRepo("POST", "/check-runs/:id#/rerequest", RERUN, (call) => {
    rerequestRun(call.world, call.repo, call.author, runOf(call));
    return { status: 201, json: {} };
  }),
  inRepo("GET", "/commits/:ref+/check-runs", READ_CHECKS, async (call) => {
    const sha = await shaOf(call);
    const runs = [...call.repo.checkRuns.values()].filter((run) => run.headSha === sha);
    return listRuns(call, runs);
  }),
  inRepo("GET", "/commits/:ref+/check-suites", READ_CHECKS, async (call) => {
    const sha = await shaOf(call);
    const suites = [...call.repo.checkSuites.values()].filter((suite) => suite.head.oid === sha);
    return listReply(
      call,
      suites,
      (suite) => fullSuite(call, suite),
      (list, total) => ({ total_count: total, check_suites: list }),
    );
  }),
  inRepo("GET", "/check-suites/:id#", READ_CHECKS, (call) => ok(fullSuite(call, suiteOf(call)))),
  inRepo("GET", "/check-suites/:id#/check-runs", READ_CHECKS, (call) => {
    const suite = suiteOf(call);
    return listRuns(
      call,
      [...call.repo.checkRuns.values()].filter((run) => run.suite === suite),
    );
  }),
  inRepo("POST", "/check-suites/:id#/rerequest", RERUN, (call) => {
    rerequestSuite(call.world, call.repo, call.author, suiteOf(call));
    return { status: 201, json: {} };
  }),
];

function requireApp(call: RepoCall): void {
  if (call.actor.kind !== "installation") throw new Refusal(403, "You must authenticate via a GitHub App.");
}

function requireConclusion(fields: RunFields): void {
  if (fields.status === "completed" && fields.conclusion === undefined) {
    throw unprocessable(`Invalid request.\n\n"conclusion" wasn't supplied.`);
  }
}

function runOf(call: RepoCall): CheckRun {
  const run = call.repo.checkRuns.get(call.number("id"));
  if (run === undefined) throw notFound();
  return run;
}

function suiteOf(call: RepoCall): CheckSuite {
  const suite = call.repo.checkSuites.get(call.number("id"));
  if (suite === undefined) throw notFound();
  return suite;
}

async function shaOf(call: RepoCall): Promise<string> {
  const commit = await call.repo.git.commitAt(call.param("ref"));
  if (commit === undefined) throw unprocessable(`No commit found for SHA: ${call.param("ref")}`);
  return commit.oid;
}

/** The branch of an open pull request with this head; a suite made by hand may have none. */
function branchOf(call: RepoCall, sha: string): string | null {
  const found = [...call.repo.issues.values()].filter(isPull).find((issue) => issue.pull.headSha === sha);
  return found?.pull.headRef ?? null;
}

/** Filters of the list endpoints. GitHub docs: `filter=latest`, the default, shows the newest run of each name. */
function listRuns(call: RepoCall, runs: readonly CheckRun[]) {
  const name = call.query("check_name");
  const status = call.query("status");
  const newest = new Map(runs.map((run) => [run.name, run]));
  const shown = call.query("filter") === "all" ? runs : [...newest.values()];
  const found = shown
    .filter(
      (run) => (name === undefined || run.name === name) && (status === undefined || run.status === status),
    )
    .toReversed();
  return listReply(
    call,
    found,
    (run) => checkRunShape(call.world, call.repo, run),
    (list, total) => ({ total_count: total, check_runs: list }),
  );
}

function fullSuite(call: RepoCall, suite: CheckSuite): object {
  const repository = repositoryShape(call.world, call.repo);
  return { ...suiteShape(call.world, call.repo, suite), repository };
}
