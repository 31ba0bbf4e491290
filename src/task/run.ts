/** What every part of a request's run needs at hand. */
import type { GitHubFault } from "../domain/github-fault.ts";
import type { PinnedCommit, RepositoryNow } from "../domain/github.ts";
import type { FailureWhy, RequestEnd, TaskRequest } from "../domain/request.ts";
import type { RepoConfig } from "../config/schema.ts";
import type { Journal } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import type { Ports } from "./ports.ts";
import type { Status } from "./status.ts";
import type { TaskStore } from "./store.ts";

export type Run = {
  readonly task: string;
  readonly slug: string;
  readonly request: TaskRequest;
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly store: TaskStore;
  readonly ports: Ports;
  readonly status: Status;
};

/** What a run is pinned to, once it is known. */
export type Pinned = {
  readonly repository: RepositoryNow;
  readonly head: PinnedCommit;
  readonly config: RepoConfig;
};

/** owner/name, as it is called now. */
export function fullName({ repository }: Pinned): string {
  return `${repository.owner}/${repository.name}`;
}

/** What the maintainers want said to every model, as prompts take it; "" where they want nothing. */
export function fromMaintainers({ config }: Pinned): string {
  return config.instructions === undefined ? "" : `From the maintainers:\n\n${config.instructions}`;
}

export type Failed = Extract<RequestEnd, { state: "failed" }>;

/** The end of a request that could not be done. `detail` is shown to people. */
export function failed(why: FailureWhy, detail?: string): Failed {
  return { state: "failed", why, ...(detail === undefined ? {} : { detail }) };
}

/** How a request ends that GitHub will not let go on, while reading or while publishing. */
export function failedBy(fault: GitHubFault, doing: "read" | "publish" = "read"): Failed {
  switch (fault.why) {
    case "gone":
      return failed("repository-gone");
    case "empty":
      return failed("repository-empty");
    case "forbidden":
      return failed("github-forbidden", fault.detail);
    case "conflict":
    case "invalid":
      return failed(doing === "publish" ? "publish-refused" : "github-refused", fault.detail);
    case "limited":
    case "unauthorised":
    case "unavailable":
      return failed("github-unavailable", fault.detail);
  }
}
