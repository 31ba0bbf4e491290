/** From a container's git to one repository, for reading only. */
import { fail, pass, type Result } from "../lib/result.ts";
import type { EgressFault } from "./fault.ts";
import { keepHeaders } from "./headers.ts";

/** The one path the container is told. It names no repository: which one it is, the props say. */
export const GIT_PATH = "/repository.git";

/** What is sent upstream: the path below the repository, the method and the body. */
export type GitRequest = {
  readonly method: "GET" | "POST";
  readonly path: "/info/refs?service=git-upload-pack" | "/git-upload-pack";
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
};

const HEADERS = ["accept", "content-type", "content-encoding", "git-protocol", "user-agent"] as const;

/** git's smart HTTP, fetch side: the two requests of upload-pack. Anything of receive-pack is a push. */
export function gitRequest(request: Request): Result<GitRequest, EgressFault> {
  const url = new URL(request.url);
  const path = url.pathname + url.search;
  if (path.includes("git-receive-pack")) return fail({ why: "push-refused" });
  const headers = keepHeaders(request.headers, HEADERS);
  if (path === `${GIT_PATH}/info/refs?service=git-upload-pack` && request.method === "GET") {
    return pass({ method: "GET", path: "/info/refs?service=git-upload-pack", headers, body: null });
  }
  if (path === `${GIT_PATH}/git-upload-pack` && request.method === "POST") {
    return pass({ method: "POST", path: "/git-upload-pack", headers, body: request.body });
  }
  return fail({ why: "path-not-allowed", path: url.pathname });
}

/** GitHub's answer as git needs it. */
export function gitResponse(response: Response): Response {
  const kept = ["content-type", "cache-control"] as const;
  // A 401 would make git ask for a password; the container has none to give.
  const status = response.status === 401 ? 403 : response.status;
  return new Response(response.body, { status, headers: keepHeaders(response.headers, kept) });
}
