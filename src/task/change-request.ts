/** A change: an agent in a container, its files judged, tested in a clean container, and published. */
import { PLAN_FILES, planChecks } from "../coding/check-plan.ts";
import type { Proposal } from "../answer/tools.ts";
import type { CheckPlan, CheckReport } from "../domain/checks.ts";
import type { FileSet } from "../domain/file-set.ts";
import type { RequestEnd } from "../domain/request.ts";
import { fail, pass, type Result } from "../lib/result.ts";
import { fillPrompt, quoteOutside } from "../model/prompts.ts";
import { judge, type Judged } from "../publish/judge.ts";
import type { CoderState } from "./ports.ts";
import { publishChange } from "./publish-change.ts";
import { failed, failedBy, fromMaintainers, fullName, type Failed, type Pinned, type Run } from "./run.ts";

/** Seconds an agent may take in all, and one wait for it (a step is journaled after each). */
const AGENT_SECONDS = 30 * 60;
const WAIT_SECONDS = 200;

/** Starts of a container for one request: a container that vanished gets one more. */
const MAX_STARTS = 2;

export async function changeRequest(
  run: Run,
  pinned: Pinned,
  proposal: Proposal,
): Promise<Exclude<RequestEnd, { state: "refused" }>> {
  if (!run.ports.coder.available) return failed("container-unavailable", "This App runs without containers.");
  const plan = await run.journal.github("check-plan", async () => (await findPlan(run, pinned)) ?? null);
  if (!plan.ok) return failedBy(plan.fault);
  await run.status.say({ proposal, doing: "writing the change" });
  const worked = await work(run, pinned, proposal);
  if (!worked.ok) return worked.fault;
  const { judged, set, summary } = worked.value;
  await run.status.say({ doing: "testing the change in a clean container" });
  const checks = await verify(run, pinned, judged, plan.value);
  await run.status.say({ doing: "opening the pull request" });
  return publishChange(run, pinned, { proposal, judged, set, summary, checks });
}

type Worked = { readonly judged: Judged; readonly set: FileSet; readonly summary: string };

/** The agent's work, taken out and judged. The container is gone when this returns, however it returns. */
async function work(run: Run, pinned: Pinned, proposal: Proposal): Promise<Result<Worked, Failed>> {
  const worked = await agentWork(run, pinned, proposal);
  await run.journal.do("coder:stop", async () => {
    await run.ports.coder.stop();
    return true;
  });
  if (!worked.ok) return worked;
  const set = run.store.getValue<FileSet>(run.request.id, "files");
  if (set === undefined) return fail(failed("export-failed"));
  const { summary } = worked.value;
  if (set.changes.length === 0) return fail(failed("agent-changed-nothing", summary));
  const judged = judge(set);
  if (judged.accepted.length === 0) {
    const list = judged.refused.map(({ path, why }) => `${path}: ${why}`).join("\n");
    return fail(failed("nothing-publishable", list));
  }
  return pass({ judged, set, summary });
}

async function agentWork(
  run: Run,
  pinned: Pinned,
  proposal: Proposal,
): Promise<Result<{ summary: string }, Failed>> {
  const { head } = pinned;
  const order = {
    commit: head.commit,
    fullName: fullName(pinned),
    prompt: brief(run, pinned, proposal),
  };
  for (let start = 1; ; start++) {
    const operation = `${run.request.id}.${start}`;
    await run.journal.do(`coder:submit:${start}`, async () => {
      await run.ports.coder.submit(operation, order);
      return true;
    });
    const state = await waitFor(run, operation);
    if (state.state === "done") {
      const exported = await run.journal.do(`coder:export:${start}`, () => exportFiles(run));
      if (exported.ok) return pass({ summary: state.text });
      if (exported.fault.why !== "container-lost")
        return fail(failed("export-failed", exported.fault.detail));
      if (start >= MAX_STARTS) return fail(failed("container-lost"));
    } else if (state.state === "failed") {
      const end = agentFailed(state.reason);
      if (end.why !== "container-lost" || start >= MAX_STARTS) return fail(end);
    } else {
      return fail(failed("agent-timed-out"));
    }
  }
}

async function waitFor(run: Run, operation: string): Promise<CoderState> {
  let state: CoderState = { state: "running" };
  for (let n = 1; state.state === "running" && n * WAIT_SECONDS <= AGENT_SECONDS; n++) {
    state = await run.journal.do(`coder:wait:${operation}:${n}`, () =>
      run.ports.coder.wait(operation, WAIT_SECONDS * 1_000),
    );
  }
  return state;
}

/** The set goes to rows of its own, in parts: the journal holds at most 1 MiB per step. */
async function exportFiles(run: Run): Promise<Result<{ files: number }, { why: string; detail: string }>> {
  const set = await run.ports.coder.export();
  if (!set.ok) return set;
  run.store.putValue(run.request.id, "files", set.value);
  return pass({ files: set.value.changes.length });
}

/** The harness and the daemon say why in their first word; see ordered-adapter in container/daemon. */
function agentFailed(reason: string): Failed {
  if (reason.startsWith("container_lost")) return failed("container-lost");
  if (reason.startsWith("container_unavailable")) return failed("container-unavailable", reason);
  if (reason.startsWith("checkout:")) return failed("checkout-failed", reason);
  return failed("agent-failed", reason);
}

function brief(run: Run, pinned: Pinned, proposal: Proposal): string {
  return fillPrompt("brief", {
    repository: fullName(pinned),
    commit: pinned.head.commit,
    title: proposal.title,
    brief: proposal.brief,
    asked: quoteOutside("asked", run.request.event.sender.login, run.request.instruction),
    instructions: fromMaintainers(pinned),
  });
}

/** Looked for in the root folder, which GitHub never cuts, so that a large repository is not taken for an untested one. */
async function findPlan(run: Run, { head, config }: Pinned): Promise<CheckPlan | undefined> {
  const { read } = run.ports;
  const entries = await read.rootFolder(head.tree);
  const paths = new Set(entries.filter(({ type }) => type === "blob").map(({ path }) => path));
  const text = async (path: string) => (paths.has(path) ? read.file(path, head.commit) : undefined);
  return planChecks(config, {
    has: (path) => paths.has(path),
    packageJson: await text(PLAN_FILES.packageJson),
    makefile: await text(PLAN_FILES.makefile),
  });
}

/** Tries of the clean container. After the last, the change is published as not tested: the work is not lost. */
const VERIFY_TRIES = 3;

async function verify(
  run: Run,
  pinned: Pinned,
  judged: Judged,
  plan: CheckPlan | null,
): Promise<CheckReport> {
  if (plan === null) return { outcome: "no-tests", results: [] };
  const { head, config } = pinned;
  const order = {
    commit: head.commit,
    fullName: fullName(pinned),
    changes: judged.accepted,
    plan,
    secondsPerCommand: config.checkSeconds,
  };
  const report = await run.journal.do(
    "verify",
    async ({ last }): Promise<CheckReport> => {
      try {
        return await run.ports.verifier.verify(run.request.id, order);
      } catch (thrown) {
        if (!last) throw thrown;
        return { outcome: "not-run", why: "the clean container was lost, each time", results: [] };
      }
    },
    { retries: { limit: VERIFY_TRIES, delay: "5 seconds" }, timeout: "2 hours" },
  );
  // Whoever writes the file that says how to test can make any change pass.
  const own = judged.accepted.find(({ path }) => plan.decidedBy.includes(path));
  return own === undefined ? report : { ...report, changesHowItIsTested: own.path };
}
