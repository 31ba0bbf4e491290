/** The events of a thread, as its timeline shows them. */
import type { Author, Issue, IssueEvent } from "../state/model.ts";
import type { World } from "../world.ts";

/** Adds to the thread's events and moves its updated_at. */
export function note(
  world: World,
  issue: Issue,
  by: Author,
  event: string,
  more: Partial<Pick<IssueEvent, "label" | "assignee" | "rename" | "commitId">> = {},
): void {
  issue.updatedAt = world.now();
  issue.events.push({
    id: world.ids.next("event"),
    event,
    actor: by.account,
    createdAt: world.now(),
    viaApp: by.viaApp,
    ...more,
  });
}
