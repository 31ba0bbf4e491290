/**
 * A git server for the tests: git's own http-backend behind a forward proxy, so that http://git.internal/NAME.git is
 * reached by `http_proxy`, as in the local engine.
 */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type GitServer = {
  /** The proxy's address, for `http_proxy`. */
  readonly proxy: string;
  /** What was asked for, oldest first: "METHOD URL". */
  readonly requests: string[];
  /** Answer instead of git, for one test. */
  answer: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  close(): Promise<void>;
};

/** Serve every repository under `root`. */
export async function startGitServer(root: string): Promise<GitServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const answer = git.answer;
    if (answer !== undefined) answer(request, response);
    else backend(root, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const git: GitServer = {
    proxy: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: undefined,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return git;
}

/** Run git http-backend for one request (CGI: RFC 3875). */
function backend(root: string, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "/", "http://git.internal");
  const child = spawn("git", ["http-backend"], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REQUEST_METHOD: request.method ?? "GET",
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers["content-type"] ?? "",
      HTTP_CONTENT_ENCODING: headerOf(request, "content-encoding"),
      GIT_PROTOCOL: headerOf(request, "git-protocol"),
    },
  });
  request.pipe(child.stdin);
  child.stdin.on("error", () => undefined);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.on("close", () => {
    const all = Buffer.concat(chunks);
    const gap = all.indexOf("\r\n\r\n");
    const head = all.subarray(0, gap).toString("latin1").split("\r\n");
    for (const line of head) {
      const [name = "", value = ""] = line.split(": ", 2);
      if (name.toLowerCase() === "status") response.statusCode = Number(value.slice(0, 3));
      else response.setHeader(name, value);
    }
    response.end(all.subarray(gap + 4));
  });
}

function headerOf(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
}
