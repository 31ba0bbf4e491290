/** Deliveries for tests, signed the way GitHub signs them, by node:crypto and so not by the code under test. */
import { createHmac } from "node:crypto";

export const SECRET = "It's a Secret to Everybody";
export const GUID = "72d3162e-cc78-11e3-81ab-4c9367dc0958";

export function digestOf(body: string | Uint8Array, secret = SECRET): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/** A signed request; a header set to undefined is left out. */
export function delivery(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string | undefined>> = {},
): Request {
  const all = {
    "content-type": "application/json",
    "x-github-delivery": GUID,
    "x-github-event": "issue_comment",
    "x-hub-signature-256": `sha256=${digestOf(body)}`,
    ...headers,
  };
  const set = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return new Request("https://app.example/webhook", {
    method: "POST",
    headers: Object.fromEntries(set),
    body,
  });
}

/** A delivery whose body is still arriving. */
export function streamed(
  body: ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>> = {},
): Request {
  // Node asks for `duplex`, which the DOM's types do not know.
  const init: RequestInit & { duplex: "half" } = {
    method: "POST",
    headers: { ...Object.fromEntries(delivery("{}").headers), ...headers },
    body,
    duplex: "half",
  };
  return new Request("https://app.example/webhook", init);
}

const PERSON = { id: 1, login: "ada", type: "User" };

/** A body of `issue_comment.created` with every field that is looked at, and one that is not. */
export function commentBody(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    action: "created",
    installation: { id: 7, node_id: "x" },
    repository: {
      id: 42,
      name: "hello",
      owner: { login: "octo", id: 3 },
      private: false,
      default_branch: "main",
    },
    sender: PERSON,
    issue: {
      id: 100,
      number: 5,
      title: "It breaks",
      body: "Always",
      html_url: "https://github.example/octo/hello/issues/5",
      created_at: "2026-11-01T10:00:00Z",
      user: PERSON,
    },
    comment: {
      id: 900,
      body: "@patchwright why?",
      html_url: "https://github.example/octo/hello/issues/5#issuecomment-900",
      created_at: "2026-11-01T10:05:00Z",
      user: PERSON,
    },
    ...changes,
  };
}
