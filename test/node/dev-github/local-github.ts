/** A local GitHub for one test file, an App with a key of its own, and a receiver for what it sends. */
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App, Octokit } from "octokit";
import { startGitHub } from "../../../dev/github/start.ts";
import { problemsOf } from "./openapi.ts";
import type { LocalGitHub } from "../../../dev/github/start.ts";

export const SECRET = "a webhook secret";
export const APP_ID = 4711;
export const EVENTS = [
  "issues",
  "issue_comment",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "push",
  "create",
  "delete",
  "check_run",
  "check_suite",
  "label",
  "repository",
];
export const PERMISSIONS = {
  contents: "write",
  issues: "write",
  pull_requests: "write",
  checks: "write",
  statuses: "read",
} as const;

const keys = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
export const PRIVATE_KEY = keys.privateKey;

export type Started = { readonly github: LocalGitHub; readonly root: string; stop(): Promise<void> };

export async function start(options: { readonly now?: () => number } = {}): Promise<Started> {
  const root = await mkdtemp(join(tmpdir(), "local-github-"));
  const github = await startGitHub({
    root,
    ...options,
    app: {
      id: APP_ID,
      clientId: "Iv23liLocalClient",
      slug: "patchwright",
      name: "Patchwright",
      publicKeyPem: keys.publicKey,
      webhookSecret: SECRET,
      permissions: PERMISSIONS,
      events: EVENTS,
    },
  });
  const stop = async () => {
    await github.close();
    await rm(root, { recursive: true, force: true });
  };
  return { github, root, stop };
}

/** Endpoints whose answers were held against the description, in order. */
export const checked: string[] = [];

/**
 * octokit without its own waiting and trying again, so that what the server says is what a test sees. Every answer
 * that is not an error is held against GitHub's description.
 */
const Client = Octokit.plugin((octokit) => {
  octokit.hook.after("request", (response, options) => {
    // A page that was linked to has no template, and a followed redirect is another address's answer.
    if (!options.url.startsWith("/") || new URL(response.url).pathname.startsWith("/_codeload/")) return;
    checked.push(`${options.method} ${options.url}`);
    const problems = problemsOf(options.method, options.url, response.status, response.data);
    if (problems.length > 0) throw new Error(problems.join("\n"));
  });
}).defaults({
  retry: { enabled: false },
  throttle: { enabled: false },
  log: { debug() {}, info() {}, warn() {}, error() {} },
});

/** A person's client; without a token, anybody's. */
export function person(github: LocalGitHub, token?: string): Octokit {
  return new Client({ baseUrl: github.apiUrl, ...(token === undefined ? {} : { auth: token }) });
}

/** The App's client, as our Worker makes it. */
export function app(github: LocalGitHub): App {
  return new App({
    appId: APP_ID,
    privateKey: PRIVATE_KEY,
    webhooks: { secret: SECRET },
    Octokit: Client.defaults({ baseUrl: github.apiUrl }),
  });
}

export type Received = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** What the next requests are answered with; 202 unless set. */
  status: number;
  stop(): Promise<void>;
};

export async function receive(): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      );
      received.push({ headers, body: Buffer.concat(chunks).toString("utf8") });
      response.writeHead(receiver.status).end("taken");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/webhook`,
    received,
    status: 202,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}

/** The status and message octokit threw, or undefined when the call went through. */
export async function refusal(
  call: Promise<unknown>,
): Promise<{ status: number; message: string; errors: unknown } | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !("status" in error)) throw error;
    const response = "response" in error ? error.response : undefined;
    const data =
      typeof response === "object" && response !== null && "data" in response ? response.data : undefined;
    const field = (name: string): unknown =>
      typeof data === "object" && data !== null ? Reflect.get(data, name) : undefined;
    return { status: Number(error.status), message: String(field("message")), errors: field("errors") };
  }
}

/** A local GitHub that tells a receiver of everything, with acme/widgets, its admin ada, and the App installed. */
export async function startWithReceiver() {
  const started = await start();
  const { github } = started;
  const receiver = await receive();
  github.setWebhookUrl(receiver.url);
  const ada = person(github, github.addUser("ada").token);
  await github.addRepository({
    owner: "acme",
    ownerType: "Organization",
    name: "widgets",
    files: { "a.txt": "one\ntwo\n" },
  });
  github.setPermission("acme/widgets", "ada", "admin");
  const { installationId } = github.install(["acme/widgets"]);
  const stop = async () => {
    await receiver.stop();
    await started.stop();
  };
  return { github, receiver, ada, installationId, stop };
}
