import { createHmac } from "node:crypto";
import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Env } from "../../src/worker/env.ts";
import worker from "../../src/worker/index.ts";
import { configured, PREVIOUS, SECRET, SETTINGS } from "./configured.ts";

const GUID = "72d3162e-cc78-11e3-81ab-4c9367dc0958";
const ADA = { id: 1, login: "ada", type: "User" };

function bodyOf(changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    action: "created",
    installation: { id: 7 },
    repository: { id: 42, name: "hello", owner: { login: "octo" }, private: false, default_branch: "main" },
    sender: ADA,
    issue: {
      id: 100,
      number: 5,
      title: "t",
      body: "b",
      html_url: "u",
      created_at: "2026-11-01T10:00:00Z",
      user: ADA,
    },
    comment: {
      id: 900,
      body: "@patchwright why?",
      html_url: "u",
      created_at: "2026-11-01T10:05:00Z",
      user: ADA,
    },
    ...changes,
  });
}

type Sent = {
  body?: string;
  secret?: string;
  headers?: Record<string, string>;
  method?: string;
  url?: string;
};

async function send(
  { body = bodyOf(), secret = SECRET, headers = {}, method = "POST", url = "/webhook" }: Sent,
  on: Env = configured(),
) {
  const request = new Request<unknown, IncomingRequestCfProperties>(`https://app.example${url}`, {
    method,
    headers: {
      "content-type": "application/json",
      "x-github-delivery": GUID,
      "x-github-event": "issue_comment",
      "x-hub-signature-256": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
      ...headers,
    },
    ...(method === "GET" || method === "HEAD" ? {} : { body }),
  });
  const response = await worker.fetch(request, on);
  const text = await response.text();
  const json: unknown = response.headers.get("content-type") === "application/json" ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, json, text };
}

/** Accepts nothing: what a delivery that is turned away must never reach. */
const NO_TASKS = {
  TASK: {
    getByName: () => {
      throw new Error("it was let in");
    },
  } as unknown as Env["TASK"],
};
const shut = (changes: Readonly<Record<string, string | undefined>> = {}): Env => ({
  ...configured(changes),
  ...NO_TASKS,
});

describe("the door turns away", () => {
  it.each<[string, Sent, number, string]>([
    ["what is not posted", { method: "GET" }, 405, "method"],
    ["a form", { headers: { "content-type": "application/x-www-form-urlencoded" } }, 415, "content-type"],
    ["a delivery without a name", { headers: { "x-github-event": "" } }, 400, "header-malformed"],
    ["a delivery whose id is none", { headers: { "x-github-delivery": "1" } }, 400, "header-malformed"],
    ["SHA-1", { headers: { "x-hub-signature-256": `sha1=${"0".repeat(40)}` } }, 400, "header-malformed"],
    ["a forged body", { secret: "another secret" }, 401, "signature-mismatch"],
    ["a body with nothing in it, forged", { body: "", secret: "another secret" }, 401, "signature-mismatch"],
    [
      "a body that says it is too large",
      { headers: { "content-length": "26214401" } },
      413,
      "body-too-large",
    ],
    ["a signed body that is no JSON", { body: "hello" }, 400, "not-json"],
    [
      "a signed body of another event",
      { body: bodyOf({ comment: undefined }) },
      400,
      "body-does-not-fit-event",
    ],
  ])("%s", async (_, sent, status, refused) => {
    const answer = await send(sent, shut());
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual({ refused, mend: expect.stringMatching(/.+\.$/) });
    expect(answer.headers.get("allow")).toBe(status === 405 ? "POST" : null);
  });

  it.each(Object.keys(SETTINGS).filter((name) => !/URL|PREVIOUS/.test(name)))(
    "everything while %s is missing, with 503, so that it can be sent again",
    async (setting) => {
      const answer = await send({}, shut({ [setting]: undefined }));
      expect(answer.status).toBe(503);
      expect(answer.json).toEqual({
        refused: "not-configured",
        mend: expect.stringContaining(`${setting}: `),
      });
    },
  );

  it("a broken setting without its value", async () => {
    const answer = await send({}, shut({ GITHUB_PRIVATE_KEY: "my-private-words" }));
    expect(answer.text).not.toContain("my-private-words");
  });

  it("a delivery that could not be stored, with 503", async () => {
    const answer = await send({}, shut());
    expect([answer.status, answer.json]).toEqual([
      503,
      { refused: "not-stored", mend: "The delivery could not be stored. Redeliver it." },
    ]);
    expect(answer.text).not.toContain("let in");
  });
});

describe("the door ignores, with 202 and the reason", () => {
  it.each<[string, Sent, string]>([
    [
      "an event that is none of ours",
      { headers: { "x-github-event": "push" }, body: "{}" },
      "event-not-handled",
    ],
    [
      "GitHub's ping",
      { headers: { "x-github-event": "ping" }, body: '{"zen":"Design for failure.","hook_id":1}' },
      "event-not-handled",
    ],
    ["an edited comment", { body: bodyOf({ action: "edited" }) }, "event-not-handled"],
    [
      "a comment for somebody else",
      { body: bodyOf({ comment: { id: 1, body: "@ada why?", html_url: "u", created_at: "t", user: ADA } }) },
      "no-mention",
    ],
    [
      "a comment of our own",
      { body: bodyOf({ sender: { id: 9, login: "patchwright[bot]", type: "Bot" } }) },
      "own-event",
    ],
    [
      "a comment of another App",
      { body: bodyOf({ sender: { id: 8, login: "x[bot]", type: "Bot" } }) },
      "bot-sender",
    ],
  ])("%s", async (_, sent, ignored) => {
    const answer = await send(sent, shut());
    expect([answer.status, answer.json]).toEqual([202, { ignored }]);
  });
});

describe("the door lets in", () => {
  it.each([
    ["the secret", SECRET],
    ["the secret before it, while it is rotated", PREVIOUS],
  ])("what is signed with %s, once however often it comes", async (_, secret) => {
    const on = configured();
    const body = bodyOf({
      repository: {
        id: secret.length,
        name: "hello",
        owner: { login: "octo" },
        private: false,
        default_branch: "main",
      },
    });
    expect(await send({ body, secret }, on)).toMatchObject({ status: 202, json: { accepted: "r1" } });
    expect(await send({ body, secret }, on)).toMatchObject({ status: 202, json: { duplicate: "r1" } });
    const replayed = { "x-github-delivery": GUID.replace("7", "8") };
    expect(await send({ body, secret, headers: replayed }, on)).toMatchObject({
      status: 202,
      json: { duplicate: "r1" },
    });
    const task = env.TASK.getByName(`github.example:${secret.length}:5`);
    expect(await task.ends()).toHaveLength(1);
  });
});

describe("the other paths", () => {
  it("say whether the App is set up", async () => {
    expect(await send({ method: "GET", url: "/health" })).toMatchObject({
      status: 200,
      json: { ok: true, app: "patchwright" },
    });
    expect(await send({ method: "GET", url: "/health" }, shut({ GITHUB_APP_ID: "x" }))).toMatchObject({
      status: 503,
      json: { ok: false, setting: "GITHUB_APP_ID", mend: expect.any(String) },
    });
  });

  it.each([
    ["GET", "/"],
    ["POST", "/health"],
    ["POST", "/webhook/"],
    ["POST", "/Webhook"],
    ["POST", "//webhook"],
    ["POST", "/webhook%2f"],
    ["GET", "/.git/config"],
  ])("are not there: %s %s", async (method, url) => {
    expect((await send({ method, url }, shut())).status).toBe(404);
  });
});
