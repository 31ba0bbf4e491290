/** The checks of one change, step by step in a started container. What it is given to call decides where that is. */
import type { CheckCommand, CheckPlan, CheckReport, CheckResult } from "../domain/checks.ts";
import { GIT_HOST, type ToolCalls } from "../domain/container-protocol.ts";
import type { FileChange } from "../domain/file-set.ts";
import { GIT_PATH } from "../egress/git-route.ts";
import { redact } from "../lib/redact.ts";
import type { Result } from "../lib/result.ts";
import type { ToolCallFault } from "./call-tool.ts";

export type CheckOrder = {
  readonly commit: string;
  readonly changes: readonly FileChange[];
  readonly plan: CheckPlan;
  readonly secondsPerCommand: number;
};

type Call = <N extends keyof ToolCalls>(
  name: N,
  input: ToolCalls[N]["input"],
) => Promise<Result<ToolCalls[N]["output"], ToolCallFault>>;

/** Bytes kept of head and of tail of a command's output. All of them together go into the journal and a comment. */
const OUTPUT_BYTES = 6_000;

/** Where a checkout comes from, as the container sees it. */
export function checkoutOf(commit: string, depth: number) {
  return { url: `http://${GIT_HOST}${GIT_PATH}`, commit, depth };
}

const COMMAND_NOT_FOUND = 127;

/**
 * Check out, apply, prepare, test.
 * @throws Error when the container is lost, so that the whole is tried again
 */
export async function runChecks(order: CheckOrder, call: Call): Promise<CheckReport> {
  const results: CheckResult[] = [];
  const checkout = await call("checkout", checkoutOf(order.commit, 1));
  if (!checkout.ok) return notRun("the base commit could not be checked out", checkout.fault);
  const applied = await call("apply", { changes: order.changes });
  if (!applied.ok) return notRun("the files could not be applied to the base commit", applied.fault);
  for (const command of order.plan.prepare) {
    const ran = await run(command, order, call);
    if (!ran.ok) return notRun(`\`${command.name}\` could not be run`, ran.fault, results);
    results.push(ran.value);
    if (ran.value.exit !== 0) return { outcome: "not-run", why: `\`${command.name}\` failed`, results };
  }
  for (const command of order.plan.test) {
    const ran = await run(command, order, call);
    if (!ran.ok) return notRun(`\`${command.name}\` could not be run`, ran.fault, results);
    results.push(ran.value);
    // The shell's and exec's word for a command that is not there: that says nothing of the change.
    if (ran.value.exit === COMMAND_NOT_FOUND) {
      return { outcome: "not-run", why: `\`${command.name}\`: the container has no such command`, results };
    }
  }
  const passed = results.every(({ exit }) => exit === 0);
  return { outcome: passed ? "passed" : "failed", results };
}

async function run(
  command: CheckCommand,
  order: CheckOrder,
  call: Call,
): Promise<Result<CheckResult, ToolCallFault>> {
  const ran = await call("run", {
    argv: command.argv,
    cwd: "",
    seconds: order.secondsPerCommand,
    outputBytes: OUTPUT_BYTES,
  });
  if (!ran.ok) return ran;
  const { exit, ms, timedOut, output } = ran.value;
  const result = { name: command.name, command: command.name, exit, ms, timedOut, output: redact(output) };
  return { ok: true, value: result };
}

function notRun(what: string, fault: ToolCallFault, results: CheckResult[] = []): CheckReport {
  // A container that was lost says nothing of the change: thrown, so that the step is tried again.
  if (fault.why === "container-lost") throw new Error(`${what}: ${fault.detail}`);
  return { outcome: "not-run", why: `${what} (${fault.why})`, results };
}
