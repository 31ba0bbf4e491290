/** "Fixes #12": issues closed by a merged pull request. */
import type { Author, PullIssue, Repository } from "../state/model.ts";
import type { World } from "../world.ts";
import { closeThread } from "./issues.ts";

/** GitHub docs, "Linking a pull request to an issue": these words, a colon or not, and a number of this repository. */
const CLOSING = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+#(\d+)\b/gi;

/** Closes what the pull request's body names. Only a merge into the default branch does that. */
export function closeLinked(world: World, repo: Repository, issue: PullIssue, by: Author): void {
  if (issue.pull.baseRef !== repo.defaultBranch) return;
  for (const [, number] of (issue.body ?? "").matchAll(CLOSING)) {
    const linked = repo.issues.get(Number(number));
    if (linked !== undefined && linked.pull === undefined) closeThread(world, repo, linked, by);
  }
}
