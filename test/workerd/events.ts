/** An event and a decision for tests, each changed where the test is about it. */
import type { Decision } from "../../src/domain/decision.ts";
import type { RepoEvent } from "../../src/domain/event.ts";

export type Acting = Extract<Decision, { act: true }>;

export const guid = (n: number) => `00000000-0000-0000-0000-${String(n).padStart(12, "0")}`;

export function eventOf(delivery: string, comment: number): RepoEvent {
  const ada = { id: 1, login: "ada", type: "User" };
  return {
    delivery,
    event: "issue_comment.created",
    installation: 7,
    repository: { id: 42, owner: "octo", name: "hello", private: false, defaultBranch: "main" },
    thread: {
      number: 5,
      onPullRequest: false,
      title: "t",
      body: "",
      url: "https://github.example/octo/hello/issues/5",
    },
    sender: ada,
    said: {
      kind: "issue-comment",
      id: comment,
      author: ada,
      text: "@patchwright why?",
      url: "https://github.example/octo/hello/issues/5#1",
      at: "2026-11-01T10:00:00Z",
    },
  };
}

export function acting(comment: number): Acting {
  return {
    act: true,
    kind: "ask",
    because: "mention",
    instruction: "why?",
    triggerKey: `issue-comment:${comment}`,
  };
}
