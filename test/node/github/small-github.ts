/** A GitHub of a few lines for one test: it mints tokens, keeps what it was asked, and answers as it is told. */
import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import type { AppCredentials } from "../../../src/github/tokens.ts";

export type Asked = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  token: string;
};
export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown };

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

export type SmallGitHub = {
  readonly app: AppCredentials;
  /** Token requests, with their bodies. */
  readonly minted: Asked[];
  /** Everything else. */
  readonly asked: Asked[];
  readonly url: string;
};

let tokens = 0;

/**
 * @param answer for every request but a token's
 * @param mint for a token's; left out, a token that lives an hour
 */
export async function smallGitHub(
  answer: (asked: Asked, n: number) => Answer,
  mint: () => Answer = () => ({ status: 201, body: tokenBody(3_600_000) }),
): Promise<SmallGitHub> {
  const minted: Asked[] = [];
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    const { method = "", url: path = "", headers } = request;
    const token = (headers.authorization ?? "").replace(/^\S+ /, "");
    const entry = { method, path, headers, body, token };
    const isMint = path.endsWith("/access_tokens");
    (isMint ? minted : asked).push(entry);
    const said = isMint ? mint() : answer(entry, asked.length);
    const raw = typeof said.body === "string";
    response.writeHead(said.status ?? 200, {
      "content-type": raw ? "text/plain" : "application/json",
      ...said.headers,
    });
    response.end(raw ? said.body : JSON.stringify(said.body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const url = `http://127.0.0.1:${port}`;
  return { app: { appId: "77", privateKey, apiUrl: url }, minted, asked, url };
}

/** A token of its own each time, in the longer of GitHub's two forms. */
export function tokenBody(livesMs: number): { token: string; expires_at: string } {
  return {
    token: `ghs_77_secret${String(++tokens).padStart(6, "0")}.${"x".repeat(60)}.y-z`,
    expires_at: new Date(Date.now() + livesMs).toISOString(),
  };
}

export const SCOPE = { installation: 7, repositoryId: 42 };

export const REPOSITORY = {
  id: 42,
  owner: { login: "octo" },
  name: "hello",
  default_branch: "main",
  private: false,
  archived: false,
};

const ISSUE = {
  title: "t",
  body: null,
  state: "open",
  user: null,
  comments: 0,
  labels: ["a", { name: "b" }, {}],
};

/** Pages of comments, as many as are asked for. */
export function paged(comments: readonly object[]): (asked: Asked) => Answer {
  return ({ path }) => {
    const url = new URL(path, "http://x.example");
    if (!url.pathname.endsWith("/comments")) return { body: { ...ISSUE, comments: comments.length } };
    const [page, size] = [Number(url.searchParams.get("page")), Number(url.searchParams.get("per_page"))];
    return { body: comments.slice((page - 1) * size, page * size) };
  };
}
