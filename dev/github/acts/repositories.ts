/** Making and changing repositories. */
import { join } from "node:path";
import { installGuard } from "../git-http/guard.ts";
import { commitText } from "../git/objects.ts";
import { git } from "../git/run.ts";
import { GitStore } from "../git/store.ts";
import { editTree } from "../git/tree-edit.ts";
import type { TreeEdit } from "../git/tree-edit.ts";
import type { Account, Author, Repository } from "../state/model.ts";
import { emit } from "../webhooks/emit.ts";
import { noreplyEmail } from "../shapes/commit.ts";
import type { World } from "../world.ts";

/** The labels GitHub gives every new repository. */
const FIRST_LABELS = [
  ["bug", "d73a4a", "Something isn't working"],
  ["documentation", "0075ca", "Improvements or additions to documentation"],
  ["duplicate", "cfd3d7", "This issue or pull request already exists"],
  ["enhancement", "a2eeef", "New feature or request"],
  ["good first issue", "7057ff", "Good for newcomers"],
  ["help wanted", "008672", "Extra attention is needed"],
  ["invalid", "e4e669", "This doesn't seem right"],
  ["question", "d876e3", "Further information is requested"],
  ["wontfix", "ffffff", "This will not be worked on"],
] as const;

type RepositoryDraft = {
  readonly name: string;
  readonly private: boolean;
  readonly defaultBranch: string;
  readonly description: string | null;
  readonly parent?: Repository;
};

/** Makes the record and its bare repository, without commits. Names are unique per owner. */
export async function createRepository(
  world: World,
  owner: Account,
  draft: RepositoryDraft,
): Promise<Repository> {
  if (world.repositories.byName(`${owner.login}/${draft.name}`).found === "here") {
    throw new Error(`${owner.login}/${draft.name} exists already`);
  }
  const at = world.now();
  const id = world.ids.next("repository");
  const dir = join(world.root, `${id}.git`);
  const store = await GitStore.create(dir, draft.defaultBranch);
  installGuard(dir);
  const repo: Repository = {
    id,
    owner,
    name: draft.name,
    private: draft.private,
    description: draft.description,
    defaultBranch: draft.defaultBranch,
    archived: false,
    topics: [],
    parent: draft.parent,
    createdAt: at,
    updatedAt: at,
    pushedAt: at,
    nextNumber: 1,
    roles: new Map(),
    labels: new Map(),
    issues: new Map(),
    comments: new Map(),
    reviews: new Map(),
    reviewComments: new Map(),
    checkSuites: new Map(),
    checkRuns: new Map(),
    statuses: [],
    git: store,
  };
  for (const [name, color, description] of FIRST_LABELS) {
    repo.labels.set(name, { id: world.ids.next("label"), name, color, description });
  }
  world.repositories.add(repo);
  return repo;
}

/** The first commit of a repository. Nobody is told: it is part of making it. */
export async function seed(
  world: World,
  repo: Repository,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const edits: TreeEdit[] = [];
  for (const [path, text] of Object.entries(files)) {
    const oid = await repo.git.writeBlob(Buffer.from(text, "utf8"));
    edits.push({ path, put: { mode: "100644", type: "blob", oid } });
  }
  const edited = await editTree(repo.git, null, edits);
  if (!edited.ok) throw new Error(`cannot hold the file ${edited.path}: ${edited.why}`);
  const who = {
    name: repo.owner.login,
    email: noreplyEmail(repo.owner),
    at: Math.floor(world.now() / 1000),
    zone: "+0000",
  };
  const commit = await repo.git.writeCommit(
    commitText({ tree: edited.tree, parents: [], author: who, committer: who, message: "Initial commit\n" }),
  );
  await repo.git.updateRef(`refs/heads/${repo.defaultBranch}`, commit);
  return commit;
}

/** A fork under `owner`, with all branches of its parent, as POST /repos/{owner}/{repo}/forks makes it. */
export async function forkRepository(
  world: World,
  parent: Repository,
  owner: Account,
  name: string,
): Promise<Repository> {
  const { defaultBranch, description } = parent;
  const draft = { name, private: parent.private, defaultBranch, description, parent };
  const fork = await createRepository(world, owner, draft);
  await git(fork.git.dir, [
    "fetch",
    "--quiet",
    parent.git.dir,
    "refs/heads/*:refs/heads/*",
    "refs/tags/*:refs/tags/*",
  ]);
  return fork;
}

/** The old name answers 301 from now on. */
export function renameRepository(world: World, repo: Repository, by: Author, name: string): void {
  if (name === repo.name) return;
  const from = repo.name;
  world.repositories.rename(repo, name);
  repo.updatedAt = world.now();
  emit(world, repo, by, "repository", "renamed", { changes: { repository: { name: { from } } } });
}

export function archiveRepository(world: World, repo: Repository, by: Author, archived: boolean): void {
  if (archived === repo.archived) return;
  repo.archived = archived;
  repo.updatedAt = world.now();
  emit(world, repo, by, "repository", archived ? "archived" : "unarchived", {});
}

export async function setDefaultBranch(
  world: World,
  repo: Repository,
  by: Author,
  branch: string,
): Promise<void> {
  const from = repo.defaultBranch;
  if (branch === from) return;
  await repo.git.setHead(branch);
  repo.defaultBranch = branch;
  emit(world, repo, by, "repository", "edited", { changes: { default_branch: { from } } });
}
