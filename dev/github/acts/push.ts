/**
 * What follows when refs have moved, whoever moved them: git push, the Git Data API, the Contents API or a merge.
 * Tells the App, moves pull requests along and opens check suites.
 */
import { diffFiles } from "../git/diff.ts";
import type { Commit, Ident } from "../git/objects.ts";
import type { Author, Repository } from "../state/model.ts";
import { accountByEmail, noreplyEmail } from "../shapes/commit.ts";
import { repositoryShape, repositoryWebUrl } from "../shapes/repository.ts";
import { iso } from "../shapes/time.ts";
import { emit } from "../webhooks/emit.ts";
import type { World } from "../world.ts";
import { requestSuite } from "./checks.ts";
import { followPulls } from "./follow.ts";

export type RefChange = {
  readonly ref: string;
  readonly before: string | null;
  readonly after: string | null;
};

const NO_COMMIT = "0".repeat(40);

/** GitHub: a push payload lists at most 2,048 commits. */
const MOST_COMMITS = 2_048;

/** GitHub: create and push are not sent when one push brings more than three tags. */
const MOST_TAGS = 3;

export async function afterRefsMoved(
  world: World,
  repo: Repository,
  by: Author,
  changes: readonly RefChange[],
): Promise<void> {
  repo.pushedAt = world.now();
  const tags = changes.filter((change) => change.ref.startsWith("refs/tags/"));
  for (const change of changes) {
    const isBranch = change.ref.startsWith("refs/heads/");
    if (!isBranch && !change.ref.startsWith("refs/tags/")) continue;
    if (isBranch || tags.length <= MOST_TAGS) await tell(world, repo, by, change);
    if (!isBranch) continue;
    const branch = change.ref.slice("refs/heads/".length);
    await followPulls(world, repo, by, change);
    if (change.after !== null) {
      await requestSuite(world, repo, by, {
        branch,
        before: change.before ?? NO_COMMIT,
        after: change.after,
      });
    }
  }
}

async function tell(world: World, repo: Repository, by: Author, change: RefChange): Promise<void> {
  const [, kind, ...rest] = change.ref.split("/");
  const about = {
    ref: rest.join("/"),
    ref_type: kind === "tags" ? "tag" : "branch",
    pusher_type: "user",
  };
  if (change.before === null) {
    const more = { master_branch: repo.defaultBranch, description: repo.description };
    emit(world, repo, by, "create", null, { ...about, ...more });
  }
  if (change.after === null) emit(world, repo, by, "delete", null, about);
  if (world.installations.of(repo) !== undefined) await tellPush(world, repo, by, change);
}

async function tellPush(world: World, repo: Repository, by: Author, change: RefChange): Promise<void> {
  const { before, after } = change;
  const commits = after === null ? [] : await pushedCommits(repo, change, after);
  const forced = before !== null && after !== null && !(await repo.git.isAncestor(before, after));
  const web = repositoryWebUrl(world, repo);
  const shown = await Promise.all(commits.map((commit) => pushCommit(world, repo, commit)));
  // A branch made at a known commit brings none, and still names its head.
  const tip = after === null || shown.length > 0 ? undefined : await repo.git.commit(after);
  const owner = repo.owner;
  const shape = repositoryShape(world, repo);
  emit(
    world,
    repo,
    by,
    "push",
    null,
    {
      ref: change.ref,
      before: before ?? NO_COMMIT,
      after: after ?? NO_COMMIT,
      created: before === null,
      deleted: after === null,
      forced,
      base_ref: null,
      compare:
        before === null || after === null
          ? `${web}/compare/${change.ref.replace(/^refs\/heads\//, "")}`
          : `${web}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
      commits: shown,
      head_commit: shown.at(-1) ?? (tip === undefined ? null : await pushCommit(world, repo, tip)),
      pusher: { name: by.account.login, email: noreplyEmail(by.account) },
    },
    {
      // Only push payloads give the repository's times as numbers and name the owner as git would.
      ...shape,
      owner: { name: owner.login, email: null, ...shape.owner },
      created_at: wholeSeconds(repo.createdAt),
      pushed_at: wholeSeconds(repo.pushedAt),
      stargazers: 0,
      master_branch: repo.defaultBranch,
    },
  );
}

function wholeSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** Oldest first. For a new branch: what no other branch has. */
async function pushedCommits(repo: Repository, change: RefChange, after: string): Promise<Commit[]> {
  const others =
    change.before === null
      ? (await repo.git.refs("refs/heads/")).filter((ref) => ref.name !== change.ref).map((ref) => ref.oid)
      : [change.before];
  const tip = await repo.git.info(`${after}^{commit}`);
  if (tip === undefined) return [];
  const ids = await repo.git.log(
    [tip.oid, ...new Set(others.map((oid) => `^${oid}`))],
    ["--reverse", `--max-count=${MOST_COMMITS}`],
  );
  return (await Promise.all(ids.map((oid) => repo.git.commit(oid)))).flatMap((commit) => commit ?? []);
}

async function pushCommit(world: World, repo: Repository, commit: Commit): Promise<object> {
  const files = await diffFiles(repo.git, commit.parents[0] ?? null, commit.oid);
  const names = (status: string) =>
    files.filter((file) => file.status === status).map((file) => file.filename);
  const moved = files.filter((file) => file.status === "renamed");
  const person = (ident: Ident) => {
    const account = accountByEmail(world, ident.email);
    return {
      name: ident.name,
      email: ident.email,
      date: iso(ident.at * 1000),
      ...(account === undefined ? {} : { username: account.login }),
    };
  };
  return {
    id: commit.oid,
    tree_id: commit.tree,
    distinct: true,
    message: commit.message.replace(/\n+$/, ""),
    timestamp: iso(commit.committer.at * 1000),
    url: `${repositoryWebUrl(world, repo)}/commit/${commit.oid}`,
    author: person(commit.author),
    committer: person(commit.committer),
    added: [...names("added"), ...moved.map((file) => file.filename)],
    removed: [...names("removed"), ...moved.flatMap((file) => file.previous ?? [])],
    modified: [...names("modified"), ...names("changed")],
  };
}
