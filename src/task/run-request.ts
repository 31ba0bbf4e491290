/** One request from its acceptance to its end. Replayed from the first line after every crash; see journal.ts. */
import { CONFIG_PATH, MAX_CONFIG_CHARACTERS, parseConfig } from "../config/parse.ts";
import { DEFAULT_CONFIG } from "../config/schema.ts";
import type { RequestEnd } from "../domain/request.ts";
import { fail, pass, type Result } from "../lib/result.ts";
import { helpText } from "../report/help.ts";
import { codeSpan } from "../report/sections.ts";
import { refusePermission } from "../triggers/permission.ts";
import { answerRequest } from "./answer-request.ts";
import { failed, failedBy, type Failed, type Pinned, type Run } from "./run.ts";

/** Never throws for a reason that the world gave; what it throws is a defect or a platform reset. */
export async function runRequest(run: Run): Promise<RequestEnd> {
  const { journal, ports, request, status } = run;
  const { sender } = request.event;
  // Kept asking for: without an answer nothing may be done or said, and the request is not lost.
  const level = await journal.github("permission", () => ports.read.permission(sender), true);
  const refusal = refusePermission(level.ok ? level.value : "unknown");
  if (refusal !== undefined) return { state: "refused", because: refusal };
  run.store.putValue(request.id, ADMITTED, true);
  await acknowledge(run);
  const end = request.instruction === "" ? help(run) : await work(run);
  await status.finish(end);
  return end;
}

const ADMITTED = "admitted";

/** Whether the sender was found to have permission. Until then nothing is said. */
export function isAdmitted(run: Run): boolean {
  return run.store.getValue<boolean>(run.request.id, ADMITTED) === true;
}

/** The eyes that say "seen". A thread or comment that is gone takes its reaction with it. */
async function acknowledge(run: Run): Promise<void> {
  const { said, thread } = run.request.event;
  const to = said.kind === "issue-comment" ? { comment: said.id } : { issue: thread.number };
  const key = `${run.request.id}:eyes`;
  await run.journal.github(key, () =>
    run.ledger.perform({ key, kind: "reaction", send: () => run.ports.thread.react(to, "eyes") }),
  );
}

function help(run: Run): Exclude<RequestEnd, { state: "refused" }> {
  return { state: "answered", text: helpText(run.slug), looked: [] };
}

async function work(run: Run): Promise<Exclude<RequestEnd, { state: "refused" }>> {
  await run.status.say({ doing: "reading the repository" });
  const pinned = await pin(run);
  return pinned.ok ? answerRequest(run, pinned.value) : pinned.fault;
}

/** One repository, one commit, one config for the whole run, whatever is pushed meanwhile. */
async function pin(run: Run): Promise<Result<Pinned, Failed>> {
  const { journal, ports } = run;
  const repository = await journal.github("repository", () => ports.read.repository());
  if (!repository.ok) return fail(failedBy(repository.fault));
  if (repository.value.archived) return fail(failed("repository-archived"));
  const head = await journal.github("head", () => ports.read.branchHead(repository.value.defaultBranch));
  if (!head.ok) return fail(failedBy(head.fault));
  const file = await journal.github("config", () => readOptional(run, CONFIG_PATH, head.value.commit));
  if (!file.ok) return fail(failedBy(file.fault));
  const config = parseConfig(file.value ?? undefined);
  if (!config.ok) run.status.note(configNote(config.fault));
  return pass({
    repository: repository.value,
    head: head.value,
    config: config.ok ? config.value : DEFAULT_CONFIG,
  });
}

async function readOptional(run: Run, path: string, commit: string): Promise<string | null> {
  // One character more than a config may have is enough to refuse it; all of it might not fit into the journal.
  return (await run.ports.read.file(path, commit))?.slice(0, MAX_CONFIG_CHARACTERS + 1) ?? null;
}

function configNote(faults: readonly { line: number; key: string; problem: string }[]): string {
  const lines = faults.slice(0, 10).map(({ line, key, problem }) => {
    return `- line ${line}${key === "" ? "" : `, ${codeSpan(key)}`}: ${problem}`;
  });
  const file = codeSpan(CONFIG_PATH);
  return `> [!WARNING]\n> ${file} cannot be used, so the defaults hold:\n${lines.map((line) => `> ${line}`).join("\n")}`;
}
