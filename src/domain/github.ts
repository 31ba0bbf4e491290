/** What GitHub tells us, in the shapes we use. github/ fills these; everyone else reads them. */

/** A repository as GitHub names it now: after a rename or transfer, not as an old payload did. */
export type RepositoryNow = {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch: string;
  readonly private: boolean;
  readonly archived: boolean;
};

/** A commit everything of one request is pinned to. */
export type PinnedCommit = { readonly commit: string; readonly tree: string; readonly branch: string };

/** One entry of a recursive tree. */
export type TreeEntry = {
  readonly path: string;
  readonly mode: string;
  readonly type: "blob" | "tree" | "commit";
  readonly sha: string;
  readonly size: number;
};

/** An issue or pull request with what was said before the trigger. */
export type ThreadText = {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly author: string;
  readonly state: "open" | "closed";
  readonly labels: readonly string[];
  readonly comments: readonly { readonly author: string; readonly at: string; readonly text: string }[];
  /** Comments left out because they were made or edited at or after the trigger. */
  readonly leftOut: number;
};

export type CommitSummary = {
  readonly sha: string;
  readonly subject: string;
  readonly author: string;
  readonly date: string;
};

/** One path of a new tree: text as it is, other bytes by their blob, `sha: null` for a deletion. */
export type TreeWrite = { readonly path: string; readonly mode: string; readonly type: "blob" } & (
  | { readonly sha: string | null }
  | { readonly content: string }
);

export type NewPullRequest = {
  readonly title: string;
  readonly body: string;
  readonly head: string;
  readonly base: string;
  readonly draft: boolean;
};

export type OpenedPullRequest = {
  readonly number: number;
  readonly url: string;
  readonly state: "open" | "closed";
  readonly draft: boolean;
  readonly head: string;
};

export type PostedComment = { readonly id: number; readonly url: string };
