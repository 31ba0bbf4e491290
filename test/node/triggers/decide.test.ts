import { describe, expect, it } from "vitest";
import type { Person, RepoEvent } from "../../../src/domain/event.ts";
import { decide, triggerKey } from "../../../src/triggers/decide.ts";
import { refusePermission } from "../../../src/triggers/permission.ts";

const SELF = { slug: "patchwright" };
const ADA: Person = { id: 1, login: "ada", type: "User" };
const OURSELVES: Person = { id: 9, login: "patchwright[bot]", type: "Bot" };

type Changes = {
  text?: string;
  sender?: Person;
  author?: Person;
  delivery?: string;
  kind?: RepoEvent["said"]["kind"];
  id?: number;
};

function event(changes: Changes = {}): RepoEvent {
  const sender = changes.sender ?? ADA;
  return {
    delivery: changes.delivery ?? "00000000-0000-0000-0000-000000000001",
    event: "issue_comment.created",
    installation: 1,
    repository: { id: 42, owner: "octo", name: "hello", private: false, defaultBranch: "main" },
    thread: { number: 5, onPullRequest: false, title: "t", body: "", url: "https://github.example/5" },
    sender,
    said: {
      kind: changes.kind ?? "issue-comment",
      id: changes.id ?? 900,
      author: changes.author ?? sender,
      text: changes.text ?? "@patchwright why?",
      url: "https://github.example/5#900",
      at: "2026-11-01T10:00:00Z",
    },
  };
}

describe("the decision on an event", () => {
  it("is to act on a person's mention, with the words and the key of the trigger", () => {
    expect(decide(event(), SELF)).toEqual({
      act: true,
      kind: "ask",
      because: "mention",
      instruction: "why?",
      triggerKey: "issue-comment:900",
    });
  });

  it.each<[string, Changes, string]>([
    ["our own comment that tells how to mention us", { sender: OURSELVES }, "own-event"],
    [
      "our own comment whatever the case of the login",
      { sender: { ...OURSELVES, login: "Patchwright[bot]" } },
      "own-event",
    ],
    [
      "our own comment even if it were sent as a User's",
      { sender: { ...OURSELVES, type: "User" } },
      "own-event",
    ],
    ["our text, edited by a person", { author: OURSELVES }, "own-event"],
    [
      "another App, whatever its name ends in",
      { sender: { id: 2, login: "evil[bot]", type: "Bot" } },
      "bot-sender",
    ],
    ["an organisation", { sender: { id: 3, login: "octo", type: "Organization" } }, "bot-sender"],
    ["a mannequin", { sender: { id: 4, login: "old", type: "Mannequin" } }, "bot-sender"],
    ["a type GitHub has yet to invent", { sender: { id: 5, login: "x", type: "Agent" } }, "bot-sender"],
    [
      "another's words, as when someone transfers an issue",
      { author: { id: 2, login: "eve", type: "User" } },
      "not-the-author",
    ],
    ["another's words under a login that was the sender's", { author: { ...ADA, id: 2 } }, "not-the-author"],
    ["no text", { text: "" }, "no-mention"],
    ["a mention of another", { text: "@patchwright-2 why?" }, "no-mention"],
    ["our mention within a quote", { text: "> @patchwright why?\n\nthanks" }, "no-mention"],
  ])("is to leave alone %s", (_, changes, because) => {
    expect(decide(event(changes), SELF)).toEqual({ act: false, because });
  });

  it("is to act for the author whose login has changed since", () => {
    expect(decide(event({ author: { ...ADA, login: "ada-l" } }), SELF).act).toBe(true);
  });

  it("is to act for a person who only looks like us", () => {
    expect(decide(event({ sender: { id: 6, login: "patchwright", type: "User" } }), SELF).act).toBe(true);
  });
});

describe("the key of a trigger", () => {
  it("is the same for a body that is replayed under another GUID", () => {
    const replay = event({ delivery: "00000000-0000-0000-0000-000000000002" });
    expect(triggerKey(replay)).toBe(triggerKey(event()));
  });

  it("tells two comments apart, and a comment from an issue of the same id", () => {
    const keys = [event(), event({ id: 901 }), event({ kind: "issue" })].map(triggerKey);
    expect(new Set(keys).size).toBe(3);
  });
});

describe("permission", () => {
  it.each([
    ["admin", undefined],
    ["write", undefined],
    ["read", "permission-read"],
    ["none", "permission-none"],
    ["unknown", "permission-unknown"],
  ] as const)("%s: %s", (level, refusal) => {
    expect(refusePermission(level)).toBe(refusal);
  });
});
