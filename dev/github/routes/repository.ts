/** A repository itself: read, changed, its branches, its people. */
import { z } from "zod";
import {
  archiveRepository,
  forkRepository,
  renameRepository,
  setDefaultBranch,
} from "../acts/repositories.ts";
import { noContent, ok } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { listReply } from "../http/paging.ts";
import { Refusal, notFound, validationFailed } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { commitShape } from "../shapes/commit.ts";
import {
  fullRepositoryShape,
  repositoryShape,
  repositoryUrl,
  repositoryWebUrl,
} from "../shapes/repository.ts";
import { userShape } from "../shapes/user.ts";
import type { Account } from "../state/model.ts";
import { isCollaborator, roleOf } from "../state/repositories.ts";
import { atLeast, legacyPermission, permissionFlags } from "../state/roles.ts";
import { READ_CONTENTS } from "./git-data.ts";

const READ_METADATA = { needs: ["metadata:read"], role: "read" } as const;
const ADMINISTER = { needs: ["administration:write"], role: "admin" } as const;

const Edit = z.object({
  name: z.string().optional(),
  description: z.string().nullish(),
  default_branch: z.string().optional(),
  archived: z.boolean().optional(),
  private: z.boolean().optional(),
});
const Fork = z.object({ name: z.string().optional() });
const Invitation = z.object({
  permission: z.enum(["pull", "triage", "push", "maintain", "admin"]).default("push"),
});
const INVITED = {
  pull: "read",
  triage: "triage",
  push: "write",
  maintain: "maintain",
  admin: "admin",
} as const;

export const repositoryRoutes: readonly RepoRoute[] = [
  inRepo("GET", "", READ_METADATA, (call) => {
    const role =
      call.actor.kind === "user" ? call.role : call.actor.kind === "installation" ? "none" : undefined;
    return ok(fullRepositoryShape(call.world, call.repo, role));
  }),
  inRepo("PATCH", "", ADMINISTER, editRepository),
  inRepo("POST", "/forks", { needs: ["administration:write"], role: "read" }, async (call) => {
    const { name } = call.body(Fork);
    const owner = call.author.account;
    const existing = call.world.repositories
      .all()
      .find((one) => one.parent === call.repo && one.owner === owner);
    const fork = existing ?? (await forkRepository(call.world, call.repo, owner, name ?? call.repo.name));
    call.wrote("fork", fork.id, fork);
    return { status: 202, json: fullRepositoryShape(call.world, fork, "admin") };
  }),
  inRepo("GET", "/forks", READ_METADATA, (call) => {
    const forks = call.world.repositories.all().filter((one) => one.parent === call.repo);
    return listReply(call, forks, (fork) => repositoryShape(call.world, fork));
  }),
  inRepo("GET", "/topics", READ_METADATA, (call) => ok({ names: call.repo.topics })),
  inRepo("GET", "/languages", READ_METADATA, () => ok({})),
  inRepo("GET", "/branches", READ_CONTENTS, async (call) => {
    const refs = await call.repo.git.refs("refs/heads/");
    const url = repositoryUrl(call.world, call.repo);
    return listReply(call, refs, (ref) => ({
      name: ref.name.replace("refs/heads/", ""),
      commit: { sha: ref.oid, url: `${url}/commits/${ref.oid}` },
      protected: false,
    }));
  }),
  inRepo("GET", "/branches/:branch+", READ_CONTENTS, async (call) => {
    const name = call.param("branch");
    const commit = await call.repo.git.commitAt(`refs/heads/${name}`);
    if (commit === undefined) throw new Refusal(404, "Branch not found");
    const self = `${repositoryUrl(call.world, call.repo)}/branches/${name}`;
    return ok({
      name,
      commit: commitShape(call.world, call.repo, commit),
      _links: { self, html: `${repositoryWebUrl(call.world, call.repo)}/tree/${name}` },
      protected: false,
      protection: {
        enabled: false,
        required_status_checks: { enforcement_level: "off", contexts: [], checks: [] },
      },
      protection_url: `${self}/protection`,
    });
  }),
  inRepo("GET", "/collaborators", READ_METADATA, (call) => {
    const people = call.world.accounts.all().filter((account) => isCollaborator(call.repo, account));
    return listReply(call, people, (account) => collaborator(call, account));
  }),
  inRepo("GET", "/collaborators/:login", READ_METADATA, (call) => {
    const account = call.world.accounts.find(call.param("login"));
    if (account === undefined || !isCollaborator(call.repo, account)) throw notFound();
    return noContent();
  }),
  inRepo("PUT", "/collaborators/:login", ADMINISTER, (call) => {
    const account = call.world.accounts.find(call.param("login"));
    if (account === undefined) throw notFound();
    call.repo.roles.set(account.login.toLowerCase(), INVITED[call.body(Invitation).permission]);
    return noContent();
  }),
  inRepo("GET", "/collaborators/:login/permission", READ_METADATA, (call) => {
    const account = call.world.accounts.find(call.param("login"));
    if (account === undefined) throw notFound();
    if (account.type === "Organization") throw new Refusal(404, `${account.login} is not a user`);
    if (call.actor.kind === "user" && !atLeast(call.role, "write")) {
      throw new Refusal(403, "Must have push access to view collaborator permission.");
    }
    const role = roleOf(call.repo, account);
    return ok({ permission: legacyPermission(role), user: collaborator(call, account), role_name: role });
  }),
];

function collaborator(call: RepoCall, account: Account): object {
  const role = roleOf(call.repo, account);
  return { ...userShape(call.world, account), permissions: permissionFlags(role), role_name: role };
}

async function editRepository(call: RepoCall) {
  const { world, repo, author } = call;
  const edit = call.body(Edit);
  if (repo.archived && edit.archived !== false) {
    throw new Refusal(403, "Repository was archived so is read-only.");
  }
  if (edit.name !== undefined) {
    const taken = world.repositories.byName(`${repo.owner.login}/${edit.name}`);
    if (taken.found === "here" && taken.repo !== repo) {
      const message = "name already exists on this account";
      throw validationFailed({ resource: "Repository", code: "custom", field: "name", message });
    }
    renameRepository(world, repo, author, edit.name);
  }
  if (edit.default_branch !== undefined) {
    if ((await repo.git.ref(`refs/heads/${edit.default_branch}`)) === undefined) {
      throw new Refusal(
        422,
        `The branch ${edit.default_branch} was not found. Please push that ref first or create it via the Git Data API.`,
      );
    }
    await setDefaultBranch(world, repo, author, edit.default_branch);
  }
  if (edit.description !== undefined) repo.description = edit.description;
  if (edit.private !== undefined) repo.private = edit.private;
  if (edit.archived !== undefined) archiveRepository(world, repo, author, edit.archived);
  call.wrote("repository-edit", repo.id);
  return ok(fullRepositoryShape(world, repo, call.actor.kind === "user" ? call.role : "none"));
}
