/** Naming what octokit throws. */
import { RequestError } from "octokit";
import type { GitHubFault } from "../domain/github-fault.ts";
import { messageOf } from "../lib/errors.ts";

/** GitHub asks for at least a minute after a secondary limit without `retry-after`. */
const DEFAULT_WAIT_MS = 60_000;

/**
 * Name what octokit threw.
 * @param now milliseconds since the epoch
 */
export function faultOf(thrown: unknown, now: number): GitHubFault {
  if (!(thrown instanceof RequestError)) return { why: "unavailable", status: 0, detail: messageOf(thrown) };
  const status = thrown.status;
  const detail = thrown.message.slice(0, 500);
  const headers = thrown.response?.headers ?? {};
  const retryAt = limitEnd(status, detail, headers, now);
  if (retryAt !== undefined) return { why: "limited", status, detail, retryAt };
  if (status === 404 || status === 410) return { why: "gone", status, detail };
  if (status === 401) return { why: "unauthorised", status, detail };
  if (status === 403 || status === 451) {
    const needed = headers["x-accepted-github-permissions"];
    return {
      why: "forbidden",
      status,
      detail: typeof needed === "string" ? `${detail} (needs ${needed})` : detail,
    };
  }
  if (status === 409) return { why: /is empty/i.test(detail) ? "empty" : "conflict", status, detail };
  if (status >= 400 && status < 500) return { why: "invalid", status, detail };
  return { why: "unavailable", status, detail };
}

/** GitHub docs, "Best practices for using the REST API": `retry-after` first, then the reset of a spent quota, else a minute. */
function limitEnd(
  status: number,
  detail: string,
  headers: Readonly<Record<string, string | number | undefined>>,
  now: number,
): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const retryAfter = Number(headers["retry-after"]);
  if (Number.isFinite(retryAfter) && retryAfter > 0) return now + retryAfter * 1_000;
  if (String(headers["x-ratelimit-remaining"]) === "0") {
    return Math.max(now, Number(headers["x-ratelimit-reset"]) * 1_000 || now + DEFAULT_WAIT_MS);
  }
  return status === 429 || /secondary rate limit|abuse/i.test(detail) ? now + DEFAULT_WAIT_MS : undefined;
}
