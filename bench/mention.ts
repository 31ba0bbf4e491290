/** One issue that mentions the App, with every moment that GitHub and the Worker recorded of it. */
import { z } from "zod";
import type { AuditEntry, Delivery } from "../dev/github/options.ts";
import type { IssueText } from "../dev/model/demo-scenario.ts";
import { personIn } from "../dev/world/person.ts";
import type { World, WorldRepository } from "../dev/world/start-world.ts";
import type { Bench } from "./context.ts";
import type { Timeline } from "./steps.ts";

export type Mention = Timeline & {
  /** When GitHub had the final comment. */
  readonly answeredAt: number;
  /** Every request to GitHub meanwhile, oldest first. */
  readonly audit: readonly AuditEntry[];
};

/** @throws Error when the request does not end as `expected` */
export async function openMention(
  { world, log, stop }: Bench,
  repository: WorldRepository,
  issue: IssueText,
  expected: "answered" | "opened",
): Promise<Mention> {
  const { github } = world;
  github.audit.clear();
  const number = await personIn(world, "ada").openIssue(repository.fullName, issue);
  const task = taskOf(world, repository, number);
  const end = await log.ended(task, stop);
  await github.idle();
  if (end.state !== expected) {
    throw new Error(`#${number} was to be ${expected}, and is ${end.state}${end.why ? ` (${end.why})` : ""}`);
  }
  const audit = github.audit.entries;
  const [attempt] =
    github.deliveries().find((delivery) => opens(delivery, repository.id, number))?.attempts ?? [];
  const comment = audit.findLast((entry) => entry.actor.kind === "installation" && writesComment(entry));
  if (attempt === undefined || comment === undefined)
    throw new Error(`GitHub has no record of #${number} from its delivery to its last comment`);
  return {
    sentAt: Date.parse(attempt.deliveredAt),
    steps: log.steps(task),
    answeredAt: comment.at,
    endedAt: end.at,
    audit,
  };
}

/** The name under which the Worker logs a thread: host, repository id, number. */
export function taskOf(world: World, repository: WorldRepository, number: number): string {
  return `${new URL(world.github.url).host}:${repository.id}:${number}`;
}

const Opened = z.object({
  action: z.literal("opened"),
  issue: z.object({ number: z.number() }),
  repository: z.object({ id: z.number() }),
});

function opens({ event, payload }: Delivery, repository: number, number: number): boolean {
  if (event !== "issues") return false;
  const opened = Opened.safeParse(payload).data;
  return opened?.issue.number === number && opened.repository.id === repository;
}

function writesComment({ method, path }: AuditEntry): boolean {
  return (method === "POST" || method === "PATCH") && /\/issues\/(?:\d+\/comments|comments\/\d+)$/.test(path);
}
