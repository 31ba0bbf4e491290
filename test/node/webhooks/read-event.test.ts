import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { openDelivery } from "../../../src/webhooks/open-delivery.ts";
import { readEvent } from "../../../src/webhooks/read-event.ts";
import { WINDOWS } from "../../../src/webhooks/windows.ts";
import { commentBody, delivery, GUID, SECRET } from "./deliveries.ts";

async function read(name: string, body: unknown) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const signed = await openDelivery(delivery(text, { "x-github-event": name }), [SECRET]);
  if (!signed.ok) throw new Error(signed.fault.why);
  return readEvent(signed.value);
}

const misfit = (key: string, event = "issue_comment.created") => ({
  ok: false,
  fault: { why: "body-does-not-fit-event", event, key },
});

const examples = z
  .array(z.object({ name: z.string(), examples: z.array(z.record(z.string(), z.unknown())) }))
  .parse(createRequire(import.meta.url)("@octokit/webhooks-examples"));

describe("GitHub's own example payloads", () => {
  it("are there", () => {
    expect(examples.length).toBeGreaterThan(40);
  });

  it.each(examples)(
    "of $name are an event, unhandled, or a named fault",
    async ({ name, examples: bodies }) => {
      for (const body of bodies) {
        const result = await read(name, body);
        if (!result.ok) expect(result.fault.why).toBe("body-does-not-fit-event");
        else if ("unhandled" in result.value)
          expect(Object.keys(WINDOWS)).not.toContain(result.value.unhandled);
        else expect(Object.keys(WINDOWS)).toContain(result.value.event);
      }
    },
  );

  it("of the events we handle are read, once they name an installation as an App's do", async () => {
    let found = 0;
    for (const { name, examples: bodies } of examples) {
      for (const body of bodies) {
        if (!Object.keys(WINDOWS).includes(`${name}.${String(body["action"])}`)) continue;
        found++;
        expect(await read(name, { installation: { id: 1 }, ...body })).toMatchObject({
          ok: true,
          value: { event: `${name}.${String(body["action"])}` },
        });
      }
    }
    expect(found).toBeGreaterThan(2);
  });

  it("of one event never pass for another's", async () => {
    for (const { name, examples: bodies } of examples) {
      for (const body of bodies) {
        for (const claimed of ["issues", "issue_comment"]) {
          if (claimed === name) continue;
          for (const action of ["created", "opened"]) {
            const result = await read(claimed, { installation: { id: 1 }, ...body, action });
            // An issue_comment body holds an issue, but its action is signed: only a forger can say "opened".
            if (name === "issue_comment" && action === "opened") continue;
            expect(result.ok && !("unhandled" in result.value)).toBe(false);
          }
        }
      }
    }
  });
});

describe("a comment", () => {
  it("becomes an event in our words, and nothing else of its payload does", async () => {
    expect(await read("issue_comment", commentBody())).toEqual({
      ok: true,
      value: {
        delivery: GUID,
        event: "issue_comment.created",
        installation: 7,
        repository: { id: 42, owner: "octo", name: "hello", private: false, defaultBranch: "main" },
        thread: {
          number: 5,
          onPullRequest: false,
          title: "It breaks",
          body: "Always",
          url: "https://github.example/octo/hello/issues/5",
        },
        sender: { id: 1, login: "ada", type: "User" },
        said: {
          kind: "issue-comment",
          id: 900,
          author: { id: 1, login: "ada", type: "User" },
          text: "@patchwright why?",
          url: "https://github.example/octo/hello/issues/5#issuecomment-900",
          at: "2026-11-01T10:05:00Z",
        },
      },
    });
  });

  it.each([
    ["a body of null", { body: null }, ""],
    ["no body", { body: undefined }, ""],
    ["a body of exactly GitHub's cap", { body: "x".repeat(65_536) }, "x".repeat(65_536)],
    ["a body above it, which is cut", { body: "x".repeat(65_537) }, "x".repeat(65_536)],
  ])("with %s is read", async (_, changes, text) => {
    const comment = { ...(commentBody()["comment"] as object), ...changes };
    const result = await read("issue_comment", commentBody({ comment }));
    expect(result).toMatchObject({ ok: true, value: { said: { text } } });
  });

  it("of a deleted account (user null) counts as its sender's", async () => {
    const comment = { ...(commentBody()["comment"] as object), user: null };
    const result = await read("issue_comment", commentBody({ comment }));
    expect(result).toMatchObject({ ok: true, value: { said: { author: { login: "ada" } } } });
  });

  it.each([
    ["no installation", { installation: undefined }, "installation"],
    ["an installation of null", { installation: null }, "installation"],
    ["a repository of null", { repository: null }, "repository"],
    ["a sender of null", { sender: null }, "sender"],
    ["an id that is a text", { installation: { id: "7" } }, "installation.id"],
    ["an id of zero", { installation: { id: 0 } }, "installation.id"],
    ["an id beyond what a double holds", { installation: { id: 2 ** 53 } }, "installation.id"],
    ["an id that is a fraction", { installation: { id: 1.5 } }, "installation.id"],
    ["a login that is empty", { sender: { id: 1, login: "", type: "User" } }, "sender.login"],
    ["a comment that is a list", { comment: [] }, "comment"],
  ])("with %s does not fit, and the fault says where", async (_, changes, key) => {
    expect(await read("issue_comment", commentBody(changes))).toEqual(misfit(key));
  });
});

describe("an opened issue", () => {
  const { comment: _, ...issue } = commentBody({ action: "opened" });

  it("says its title and its body", async () => {
    expect(await read("issues", issue)).toMatchObject({
      ok: true,
      value: { event: "issues.opened", said: { kind: "issue", id: 100, text: "It breaks\n\nAlways" } },
    });
  });

  it("says only its title where its body is null", async () => {
    const empty = { ...issue, issue: { ...(issue["issue"] as object), body: null } };
    expect(await read("issues", empty)).toMatchObject({ ok: true, value: { said: { text: "It breaks" } } });
  });
});

describe("a body that nobody would send", () => {
  it.each([
    ["nothing", ""],
    ["half of it", '{"action":'],
    ["two of them", "{}{}"],
    ["a single quote", "{'action':'created'}"],
  ])("is not JSON: %s", async (_name, body) => {
    expect(await read("issue_comment", body)).toEqual({ ok: false, fault: { why: "not-json" } });
  });

  it.each([
    ["null", "null"],
    ["a list", "[]"],
    ["a number", "1e999"],
    ["a text", '"created"'],
  ])("does not fit: %s", async (_name, body) => {
    expect(await read("issue_comment", body)).toEqual(misfit("the body", "issue_comment"));
  });

  it.each([
    ["__proto__", '{"action":"created","__proto__":{"installation":{"id":1}}}'],
    ["constructor", '{"action":"created","constructor":{"prototype":{"installation":{"id":1}}}}'],
  ])("gets nothing by %s", async (_name, body) => {
    expect(await read("issue_comment", body)).toEqual(misfit("installation"));
    expect(Object.prototype).not.toHaveProperty("installation");
  });

  it.each(["toString", "constructor", "__proto__", "hasOwnProperty"])(
    "whose action is %s is unhandled",
    async (action) => {
      expect(await read("issues", { action })).toEqual({
        ok: true,
        value: { unhandled: `issues.${action}` },
      });
    },
  );

  it("is nested ten thousand deep and still only does not fit", async () => {
    const deep = `${'{"comment":'.repeat(10_000)}1${"}".repeat(10_000)}`;
    const result = await read("issue_comment", `{"action":"created","x":${deep}}`);
    expect(result).toEqual(misfit("installation"));
  });

  it("is never an exception", async () => {
    const names = fc.constantFrom("issues", "issue_comment", "push");
    const like = fc.oneof(
      fc.json({ maxDepth: 4 }),
      fc
        .record({ action: fc.constantFrom("created", "opened", null, 3), ...nasty(commentBody()) })
        .map((body) => JSON.stringify(body)),
    );
    await fc.assert(
      fc.asyncProperty(names, like, async (name, body) => {
        const result = await read(name, body);
        expect(typeof result.ok).toBe("boolean");
      }),
      { numRuns: 300 },
    );
  });
});

/** Each field as it should be, or as anything. */
function nasty(body: Record<string, unknown>): Record<string, fc.Arbitrary<unknown>> {
  const { action: _, ...rest } = body;
  return Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, fc.oneof(fc.constant(value), fc.jsonValue())]),
  );
}
