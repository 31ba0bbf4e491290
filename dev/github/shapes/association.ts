/** `author_association`: what an author is to a repository, frozen nowhere and never a permission. */
import type { Account, Repository } from "../state/model.ts";
import { isCollaborator } from "../state/repositories.ts";

type Association = "OWNER" | "MEMBER" | "COLLABORATOR" | "CONTRIBUTOR" | "NONE";

/**
 * OWNER for the owning user, MEMBER where an organisation's repository lists the person with push access,
 * COLLABORATOR for other listed people (also read-only ones), CONTRIBUTOR after a merged pull request, else NONE.
 */
export function associationOf(repo: Repository, account: Account): Association {
  if (repo.owner.id === account.id) return "OWNER";
  if (account.type !== "Bot" && isCollaborator(repo, account)) {
    const role = repo.roles.get(account.login.toLowerCase());
    const member = repo.owner.type === "Organization" && role !== "read" && role !== "triage";
    return member ? "MEMBER" : "COLLABORATOR";
  }
  for (const issue of repo.issues.values()) {
    if (issue.user.id === account.id && issue.pull?.mergedAt !== null && issue.pull !== undefined) {
      return "CONTRIBUTOR";
    }
  }
  return "NONE";
}
