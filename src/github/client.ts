/** An octokit for one repository and one purpose. Its token is fetched per request, so no run outlives it. */
import { Octokit } from "octokit";
import { GitHubError } from "../domain/github-fault.ts";
import { faultOf } from "./fault.ts";
import { clientOptions, forgetToken, tokenFor, type AppCredentials, type TokenScope } from "./tokens.ts";

/** A token is refused for some seconds after it was made, until GitHub's replicas know it (octokit waits likewise). */
const FRESH_MS = 5_000;

/** A call that has no answer by then is over, so that it cannot be applied while the next try is on its way. */
const CALL_TIMEOUT_MS = 60_000;

export type Clock = () => number;

/** @returns a client that signs each request for `scope` and is good for nothing else */
export function clientFor(app: AppCredentials, scope: TokenScope, now: Clock = Date.now): Octokit {
  const octokit = new Octokit(clientOptions(app.apiUrl));
  octokit.hook.wrap("request", async (request, options) => {
    for (let attempt = 1; ; attempt++) {
      const token = await tokenFor(app, scope, now());
      options.headers.authorization = `token ${token.token}`;
      options.request = { signal: AbortSignal.timeout(CALL_TIMEOUT_MS), ...options.request };
      try {
        return await request(options);
      } catch (thrown) {
        const fault = faultOf(thrown, now());
        if (fault.why !== "unauthorised") throw thrown;
        const fresh = now() - token.mintedAt < FRESH_MS;
        if (!fresh) forgetToken(token);
        if (attempt >= (fresh ? 4 : 2)) throw thrown;
        if (fresh) await new Promise((resolve) => setTimeout(resolve, attempt * 500));
      }
    }
  });
  return octokit;
}

/**
 * Make one call and name its failure.
 * @throws GitHubError, never octokit's own error: that one carries the request with its headers
 */
export async function call<T>(work: () => Promise<T>, now: Clock = Date.now): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof GitHubError) throw thrown;
    throw new GitHubError(faultOf(thrown, now()));
  }
}
