/** Sending git's read requests to GitHub. The token is added here and nowhere else, and only for one repository. */
import type { RepositoryScope } from "./requester.ts";
import { tokenFor, type AppCredentials } from "./tokens.ts";

export type GitRead = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Headers;
  readonly body: ReadableStream<Uint8Array> | null;
};

/**
 * @param webUrl where git is served, such as https://github.com
 * @param fullName the repository's name now; git's URLs know no numeric ids
 */
export async function sendGitRead(
  app: AppCredentials,
  scope: RepositoryScope,
  webUrl: string,
  fullName: string,
  read: GitRead,
): Promise<Response> {
  const { token } = await tokenFor(app, { ...scope, purpose: "read" }, Date.now());
  const headers = new Headers(read.headers);
  headers.set("authorization", `Basic ${btoa(`x-access-token:${token}`)}`);
  const url = `${webUrl}/${fullName}.git${read.path}`;
  return fetch(url, { method: read.method, headers, body: read.body, redirect: "manual" });
}
