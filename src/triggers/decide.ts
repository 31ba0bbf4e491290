/** What to do with an event. Pure: what needs asking (permission, config) is judged elsewhere or passed in. */
import type { Decision } from "../domain/decision.ts";
import type { RepoEvent } from "../domain/event.ts";
import { instructionIn } from "./mention.ts";

/** Who we are, so that we never answer ourselves. */
export type Self = { readonly slug: string };

/** Decide on one event. */
export function decide(event: RepoEvent, self: Self): Decision {
  if (isSelf(event.sender.login, self) || isSelf(event.said.author.login, self)) {
    return { act: false, because: "own-event" };
  }
  if (event.sender.type !== "User") return { act: false, because: "bot-sender" };
  if (event.sender.id !== event.said.author.id) return { act: false, because: "not-the-author" };
  const instruction = instructionIn(event.said.text, self.slug);
  if (instruction === undefined) return { act: false, because: "no-mention" };
  return { act: true, kind: "ask", because: "mention", instruction, triggerKey: triggerKey(event) };
}

/**
 * One trigger, one request. GitHub's GUID is not signed, so the key is made of what is: a captured body that is sent
 * again under a fresh GUID has the same key and starts nothing.
 */
export function triggerKey(event: RepoEvent): string {
  return `${event.said.kind}:${event.said.id}`;
}

function isSelf(login: string, self: Self): boolean {
  return login.toLowerCase() === `${self.slug.toLowerCase()}[bot]`;
}
