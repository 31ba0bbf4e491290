/** Runs git http-backend for one request and turns its CGI output into a response. */
import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { gitEnvironment } from "../git/run.ts";

type CgiOrder = {
  readonly url: URL;
  readonly dir: string;
  /** info/refs, git-upload-pack or git-receive-pack. */
  readonly service: string;
  readonly user: string;
};

/** Bodies stream both ways; http-backend itself unpacks a gzipped request. Rejects when it ends without an answer. */
export function cgi(
  request: Request,
  order: CgiOrder,
  extra: Readonly<Record<string, string>>,
): Promise<Response> {
  const header = (name: string) => request.headers.get(name) ?? "";
  const environment = gitEnvironment({
    GIT_PROJECT_ROOT: order.dir,
    GIT_HTTP_EXPORT_ALL: "1",
    PATH_INFO: `/${order.service}`,
    REQUEST_METHOD: request.method,
    QUERY_STRING: order.url.search.replace(/^\?/, ""),
    CONTENT_TYPE: header("content-type"),
    CONTENT_LENGTH: header("content-length"),
    HTTP_CONTENT_ENCODING: header("content-encoding"),
    GIT_PROTOCOL: header("git-protocol"),
    REMOTE_USER: order.user,
    REMOTE_ADDR: "127.0.0.1",
    ...extra,
  });
  const child = spawn("git", ["http-backend"], { env: environment, stdio: "pipe" });
  child.stdin.on("error", () => undefined);
  child.stderr.resume();
  void feed(child, request.body);
  return readAnswer(child);
}

async function feed(child: ChildProcessWithoutNullStreams, body: Request["body"]): Promise<void> {
  try {
    if (body !== null) {
      for await (const chunk of body) {
        if (!child.stdin.write(chunk)) await Promise.race([once(child.stdin, "drain"), once(child, "close")]);
      }
    }
    child.stdin.end();
  } catch {
    // The client went away in the middle of its request: git must not take the half for the whole.
    child.kill();
  }
}

/** CGI output is headers, an empty line, the body. The response is there as soon as the headers are. */
function readAnswer(child: ChildProcessWithoutNullStreams): Promise<Response> {
  const output = child.stdout;
  return new Promise((resolve, reject) => {
    let head: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      output.off("data", onData);
      output.pause();
      const { status, headers } = parseHead(head.toString("latin1", 0, end));
      resolve(new Response(stream(child, head.subarray(end + 4)), { status, headers }));
    };
    output.on("data", onData);
    child.on("error", reject);
    output.on("end", () => reject(new Error("git http-backend ended without an answer")));
  });
}

function stream(
  child: ChildProcessWithoutNullStreams,
  first: Buffer,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const output = child.stdout;
  return new ReadableStream({
    start(controller) {
      if (first.length > 0) controller.enqueue(new Uint8Array(first));
      output.on("data", (chunk: Buffer) => {
        controller.enqueue(new Uint8Array(chunk));
        if ((controller.desiredSize ?? 0) <= 0) output.pause();
      });
      output.on("end", () => controller.close());
      output.on("error", (error) => controller.error(error));
    },
    pull() {
      output.resume();
    },
    cancel() {
      child.kill();
    },
  });
}

function parseHead(text: string): { status: number; headers: Headers } {
  const headers = new Headers();
  let status = 200;
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else headers.append(name, value);
  }
  return { status, headers };
}
