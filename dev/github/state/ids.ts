/** Numeric ids and node ids. Each kind counts in its own range, so an id used for the wrong kind is seen at once. */

const STARTS = {
  user: 1_000,
  repository: 710_000_000,
  installation: 52_000_000,
  issue: 2_400_000_000,
  pull: 1_900_000_000,
  comment: 2_100_000_000,
  reaction: 230_000_000,
  label: 6_800_000_000,
  event: 13_000_000_000,
  review: 1_850_000_000,
  reviewComment: 1_500_000_000,
  checkSuite: 24_000_000_000,
  checkRun: 26_000_000_000,
  status: 29_000_000_000,
  delivery: 90_000_000_000,
} as const;
type IdKind = keyof typeof STARTS;

export class Ids {
  readonly #next = new Map<IdKind, number>();

  next(kind: IdKind): number {
    const id = (this.#next.get(kind) ?? STARTS[kind]) + 1;
    this.#next.set(kind, id);
    return id;
  }
}

const PREFIXES = {
  User: "U",
  Organization: "O",
  Bot: "BOT",
  Repository: "R",
  Issue: "I",
  PullRequest: "PR",
  IssueComment: "IC",
  Reaction: "REA",
  Label: "LA",
  Event: "EV",
  Review: "PRR",
  ReviewComment: "PRRC",
  CheckSuite: "CS",
  CheckRun: "CR",
  Status: "SC",
  Installation: "MDIzOkludGVncmF0aW9uSW5zdGFsbGF0aW9u",
  App: "A",
  Commit: "C",
  Tree: "T",
  Blob: "B",
  Ref: "REF",
} as const;

/** An opaque global id in GitHub's new form (`I_kwDO…`). Stable for one object, useless for anything else. */
export function nodeId(kind: keyof typeof PREFIXES, ...parts: readonly (string | number)[]): string {
  return `${PREFIXES[kind]}_kwDO${Buffer.from(parts.join(":")).toString("base64url")}`;
}
