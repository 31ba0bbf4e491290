/** What an actor may do in a repository, and how GitHub refuses the rest. */
import type { Actor, Issue, Level, Repository } from "../state/model.ts";
import { roleOf } from "../state/repositories.ts";
import { atLeast } from "../state/roles.ts";
import type { Role } from "../state/roles.ts";
import { Refusal, notByIntegration, notFound, requiresAuthentication } from "./refusal.ts";
import type { RepoCall } from "./call.ts";

/** An App permission at a level, such as "issues:write". */
type Need = `${string}:${Level}`;

export type Rule = {
  /** For installation tokens; any one of them is enough. */
  readonly needs: readonly [Need, ...Need[]];
  /** For people: the least role. */
  readonly role: Role;
};

/** The role the actor acts with; installation tokens have none. Throws 401, 403 or 404. */
export function authorise(actor: Actor, repo: Repository, rule: Rule): Role {
  const reading = rule.needs.every((need) => need.endsWith(":read"));
  // GitHub docs: public resources can be read without the permissions an endpoint otherwise asks for.
  const open = !repo.private && reading;
  switch (actor.kind) {
    case "anonymous":
      if (repo.private) throw notFound();
      if (!open) throw requiresAuthentication();
      return checkRole("read", rule.role);
    case "app":
      if (repo.private) throw notFound();
      if (!open) throw notByIntegration();
      return "none";
    case "user": {
      const role = roleOf(repo, actor.account);
      if (role === "none") throw notFound();
      return checkRole(role, rule.role);
    }
    case "installation":
      if (!covers(actor, repo)) {
        if (repo.private) throw notFound();
        if (open) return "none";
        throw notByIntegration();
      }
      if (!open && !rule.needs.some((need) => grants(actor, need))) {
        throw notByIntegration(acceptedHeader(rule.needs));
      }
      return "none";
  }
}

/** GitHub refuses people below triage and write with 403 and one sentence. */
function checkRole(role: Role, least: Role): Role {
  if (atLeast(role, least)) return role;
  throw new Refusal(
    403,
    least === "write" || least === "maintain"
      ? "Must have push access to repository"
      : "Must have admin rights to Repository.",
  );
}

export function covers(actor: Actor & { kind: "installation" }, repo: Repository): boolean {
  const { installation, repositoryIds } = actor.token;
  return installation.repositoryIds.has(repo.id) && (repositoryIds?.has(repo.id) ?? true);
}

export function grants(actor: Actor & { kind: "installation" }, need: Need): boolean {
  const [permission = "", level] = need.split(":");
  const held = actor.token.grants[permission];
  return held === "write" || (held === "read" && level === "read");
}

/** `issues=write; pull_requests=write`: semicolons between alternatives. */
function acceptedHeader(needs: readonly Need[]): string {
  return needs.map((need) => need.replace(":", "=")).join("; ");
}

/**
 * The thread endpoints are shared: an issue needs the issues permission, a pull request's thread takes either.
 * Called by routes once they know which of the two a number is.
 */
export function authoriseThread(call: RepoCall, issue: Issue, level: Level): void {
  if (issue.pull !== undefined) return;
  const actor = call.actor;
  if (actor.kind !== "installation" || (level === "read" && !call.repo.private)) return;
  if (!grants(actor, `issues:${level}`)) throw notByIntegration(`issues=${level}`);
}

/** GitHub: writes to an archived repository answer 403. */
export function refuseArchived(repo: Repository): void {
  if (repo.archived) throw new Refusal(403, "Repository was archived so is read-only.");
}

/** A comment that the caller may change: its author may, and people who can write here. */
export function moderated<C extends { readonly user: { readonly id: number } }>(
  call: RepoCall,
  comment: C,
): C {
  if (mayModerate(call, comment.user.id, "write")) return comment;
  throw new Refusal(403, "Must have admin rights to Repository.");
}

/** What the caller may do to someone's comment: its author always, others from `least` on. */
export function mayModerate(call: RepoCall, authorId: number, least: Role): boolean {
  if (call.actor.kind === "installation") return true;
  return call.actor.kind === "user" && (call.actor.account.id === authorId || atLeast(call.role, least));
}
