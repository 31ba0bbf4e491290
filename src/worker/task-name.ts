/** The name of a thread's Task: numeric ids, so that renames and transfers change nothing. */
import type { RepoEvent } from "../domain/event.ts";

/** @param host github.com or the GHES host, from our settings and never from a payload */
export function taskName(host: string, event: Pick<RepoEvent, "repository" | "thread">): string {
  return `${host}:${event.repository.id}:${event.thread.number}`;
}
