/** Repositories by id and by name, the names they used to have, and what role a person has in one. */
import type { Account, Repository } from "./model.ts";
import { repositoryName } from "./model.ts";
import type { Role } from "./roles.ts";

export type Found =
  | { readonly found: "here"; readonly repo: Repository }
  /** The name belonged to this repository before a rename: GitHub answers 301. */
  | { readonly found: "moved"; readonly repo: Repository }
  | { readonly found: "no" };

export class Repositories {
  readonly #byId = new Map<number, Repository>();
  readonly #byName = new Map<string, Repository>();
  readonly #oldNames = new Map<string, Repository>();

  add(repo: Repository): void {
    this.#byId.set(repo.id, repo);
    this.#byName.set(repositoryName(repo).toLowerCase(), repo);
    this.#oldNames.delete(repositoryName(repo).toLowerCase());
  }

  byId(id: number): Repository | undefined {
    return this.#byId.get(id);
  }

  byName(fullName: string): Found {
    const key = fullName.toLowerCase();
    const repo = this.#byName.get(key);
    if (repo !== undefined) return { found: "here", repo };
    const moved = this.#oldNames.get(key);
    return moved === undefined ? { found: "no" } : { found: "moved", repo: moved };
  }

  rename(repo: Repository, name: string): void {
    const old = repositoryName(repo).toLowerCase();
    this.#byName.delete(old);
    this.#oldNames.set(old, repo);
    repo.name = name;
    this.#byName.set(repositoryName(repo).toLowerCase(), repo);
    this.#oldNames.delete(repositoryName(repo).toLowerCase());
  }

  all(): readonly Repository[] {
    return [...this.#byId.values()];
  }
}

/** The highest grant counts: owner, then the listed role, then what the public may do. */
export function roleOf(repo: Repository, account: Account): Role {
  if (repo.owner.id === account.id) return "admin";
  const listed = repo.roles.get(account.login.toLowerCase()) ?? "none";
  return listed === "none" && !repo.private ? "read" : listed;
}

/** A role given by name, without the public's read: what makes a collaborator. */
export function isCollaborator(repo: Repository, account: Account): boolean {
  return repo.owner.id === account.id || (repo.roles.get(account.login.toLowerCase()) ?? "none") !== "none";
}
