/** Our words for what GitHub says. webhooks/ makes these from signed bodies; nothing else does. */

/** An account as the payload names it. Compared by `id`: logins can be renamed and re-registered. */
export type Person = {
  readonly id: number;
  readonly login: string;
  /** GitHub's own word: "User", "Bot", "Organization" or "Mannequin". */
  readonly type: string;
};

/** A repository. `id` is what we key by; owner and name are only as fresh as the payload. */
export type RepositoryRef = {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly private: boolean;
  readonly defaultBranch: string;
};

/** An issue or pull request: one thread, one Task. */
export type Thread = {
  readonly number: number;
  readonly onPullRequest: boolean;
  /** Title and text as they were when the event happened: signed, and so beyond the reach of a later edit. */
  readonly title: string;
  readonly body: string;
  readonly url: string;
};

/** What a person wrote, word for word as signed. It is the instruction: it is never fetched again. */
export type Said = {
  readonly kind: "issue" | "issue-comment";
  readonly id: number;
  readonly author: Person;
  readonly text: string;
  readonly url: string;
  /** ISO 8601, GitHub's clock, one-second steps. */
  readonly at: string;
};

/** One delivery that may ask for something. */
export type RepoEvent = {
  /** X-GitHub-Delivery. Not covered by the signature: good for recognising a redelivery, never for trust. */
  readonly delivery: string;
  readonly event: "issue_comment.created" | "issues.opened";
  readonly installation: number;
  readonly repository: RepositoryRef;
  readonly thread: Thread;
  readonly sender: Person;
  readonly said: Said;
};
