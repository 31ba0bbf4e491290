/** What GitHub's refusals mean for us. github/ names them; nobody else looks at a status. */

export type GitHubFault = {
  /**
   * - `gone`: 404 or 410: not there, or no longer ours to see
   * - `forbidden`: a permission is missing; `detail` names it where GitHub did
   * - `empty`: the repository has no commit yet
   * - `conflict` / `invalid`: 409 and 422, with GitHub's words
   * - `limited`: a rate limit, primary or secondary; `retryAt` says when it ends
   * - `unauthorised`: the App's credentials are refused
   * - `unavailable`: 5xx, or no answer: whether a write was applied is unknown
   */
  readonly why:
    | "gone"
    | "forbidden"
    | "empty"
    | "conflict"
    | "invalid"
    | "limited"
    | "unauthorised"
    | "unavailable";
  readonly status: number;
  readonly detail: string;
  /** Milliseconds since the epoch, for `limited`. */
  readonly retryAt?: number;
};

/** A thrown fault, for the steps that journal and retry. Carries no header and no request. */
export class GitHubError extends Error {
  readonly fault: GitHubFault;
  constructor(fault: GitHubFault) {
    super(`GitHub ${fault.status} ${fault.why}: ${fault.detail}`);
    this.name = "GitHubError";
    this.fault = fault;
  }
}

/** Whether the same call can succeed later. */
export function isTransientGitHub(fault: GitHubFault): boolean {
  return fault.why === "unavailable" || fault.why === "limited" || fault.why === "unauthorised";
}
