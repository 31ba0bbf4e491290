/** What can be told apart inside the two long steps of a change, from what the Worker does not log itself. */
import type { AuditEntry } from "../dev/github/options.ts";
import type { Bench } from "./context.ts";
import type { Mention } from "./mention.ts";
import { foldName, splitByMarks } from "./steps.ts";

type Parts = readonly { name: string; ms: number }[];

/** From the order to the agent's last word: each part ends with what others saw of it. */
export function coderParts({ lines, agentTurns }: Bench, mention: Mention): Parts {
  const from = endOf(mention, "coder:submit");
  const to = endOf(mention, "coder:wait");
  const within = (at: number) => at >= from && at <= to;
  const turns = agentTurns.filter(within);
  const git = gitReads(mention, from, to);
  // The daemon's first line: see container/daemon/main.ts.
  const up = lines.find(({ at, text }) => within(at) && text.includes("harness-daemon:"));
  return splitByMarks(from, [
    { name: "container and daemon start", at: up?.at },
    { name: "health check, order, first git request", at: git[0]?.at },
    { name: "git fetch", at: git.at(-1)?.at },
    { name: "files written, agent's start, first model request", at: turns[0] },
    { name: "model turns and the agent's tools", at: turns.at(-1) },
    { name: "last turn, agent's end", at: to },
  ]);
}

/** @param testsMs what the tests took, as the pull request says */
export function verifyParts(mention: Mention, testsMs: number): Parts {
  const to = endOf(mention, "verify");
  const from = to - (mention.steps.find(({ name }) => name === "verify")?.ms ?? 0);
  const git = gitReads(mention, from, to);
  const fetched = git.at(-1)?.at;
  const parts = splitByMarks(from, [
    { name: "container and tool start, first git request", at: git[0]?.at },
    { name: "git fetch", at: fetched },
  ]);
  return [
    ...parts,
    { name: "the repository's tests", ms: testsMs },
    { name: "files written and applied, tool starts, container's end", ms: to - (fetched ?? from) - testsMs },
  ];
}

/** When the last step of a name ended. */
function endOf({ steps }: Mention, name: string): number {
  const found = steps.findLast((step) => foldName(step.name) === name);
  if (found === undefined) throw new Error(`the Worker logged no step ${name}`);
  return found.at;
}

/** Git's smart HTTP, as GitHub saw it. */
function gitReads({ audit }: Mention, from: number, to: number): readonly AuditEntry[] {
  return audit.filter(
    ({ at, path }) => at >= from && at <= to && /\.git\/(?:info\/refs|git-upload-pack)$/.test(path),
  );
}
