/** Merging a pull request in GitHub's three ways. */
import { mergeTrees, replay } from "../git/merge.ts";
import { commitText } from "../git/objects.ts";
import type { Commit, Ident } from "../git/objects.ts";
import { Refusal } from "../http/refusal.ts";
import type { Author, PullIssue, Repository } from "../state/model.ts";
import { noreplyEmail } from "../shapes/commit.ts";
import { signCommit } from "../shapes/verification.ts";
import type { World } from "../world.ts";
import { markMerged } from "./follow.ts";
import { afterRefsMoved } from "./push.ts";

type MergeMethod = "merge" | "squash" | "rebase";
type MergeOrder = {
  readonly method: MergeMethod;
  readonly title: string | undefined;
  readonly message: string | undefined;
  /** The head the caller has seen; 409 when it has moved. */
  readonly sha: string | undefined;
};

/** Whether base and head merge without conflict. */
export async function isMergeable(repo: Repository, issue: PullIssue): Promise<boolean | null> {
  if (issue.state === "closed") return null;
  const base = await repo.git.ref(`refs/heads/${issue.pull.baseRef}`);
  if (base === undefined) return false;
  return (await mergeTrees(repo.git, base.oid, issue.pull.headSha)) !== undefined;
}

/** Merges and answers the new tip of the base. Throws 405 when it cannot be merged, 409 when the head has moved. */
export async function mergePull(
  world: World,
  repo: Repository,
  issue: PullIssue,
  by: Author,
  order: MergeOrder,
): Promise<string> {
  const { pull } = issue;
  if (issue.state === "closed" || pull.draft) throw notMergeable();
  if (order.sha !== undefined && order.sha !== pull.headSha) {
    throw new Refusal(409, "Head branch was modified. Review and try the merge again.");
  }
  const ref = `refs/heads/${pull.baseRef}`;
  const base = await repo.git.commitAt(ref);
  const head = await repo.git.commit(pull.headSha);
  if (base === undefined || head === undefined) throw notMergeable();
  const sha = await makeCommits(world, repo, issue, by, order, base, head);
  if (!(await repo.git.updateRef(ref, sha, base.oid))) {
    throw new Refusal(409, "Base branch was modified. Review and try the merge again.");
  }
  markMerged(world, repo, issue, by, sha);
  await afterRefsMoved(world, repo, by, [{ ref, before: base.oid, after: sha }]);
  return sha;
}

async function makeCommits(
  world: World,
  repo: Repository,
  issue: PullIssue,
  by: Author,
  order: MergeOrder,
  base: Commit,
  head: Commit,
): Promise<string> {
  const author = identOf(world, by);
  const committer = { ...author, name: "GitHub", email: "noreply@github.com" };
  if (order.method === "rebase") return rebase(repo, base, head, committer);
  const tree = await mergeTrees(repo.git, base.oid, head.oid);
  if (tree === undefined) throw notMergeable();
  const merging = order.method === "merge";
  const headName = `${issue.pull.headRepo.owner.login}/${issue.pull.headRef}`;
  const title =
    order.title ??
    (merging ? `Merge pull request #${issue.number} from ${headName}` : `${issue.title} (#${issue.number})`);
  const message = order.message ?? (merging ? issue.title : (issue.body ?? ""));
  const text = commitText({
    tree,
    parents: merging ? [base.oid, head.oid] : [base.oid],
    author,
    committer,
    message: message === "" ? title : `${title}\n\n${message}`,
  });
  return repo.git.writeCommit(signCommit(world, text));
}

/** Each commit of the pull request again, on top of the base; merges among them are left out, as GitHub does. */
async function rebase(repo: Repository, base: Commit, head: Commit, committer: Ident): Promise<string> {
  const ids = await repo.git.log([head.oid, `^${base.oid}`], ["--reverse", "--no-merges"]);
  let tip = base;
  for (const id of ids) {
    const commit = await repo.git.commit(id);
    const tree = commit === undefined ? undefined : await replay(repo.git, tip, commit);
    if (commit === undefined || tree === undefined) throw new Refusal(405, "This branch can't be rebased");
    const { author, message } = commit;
    const oid = await repo.git.writeCommit(
      commitText({ tree, parents: [tip.oid], author, committer, message }),
    );
    tip = { ...commit, oid, tree, parents: [tip.oid], committer, signature: null };
  }
  return tip.oid;
}

/** Merges the base into the head of a pull request whose branch is in this repository; the new head. */
export async function updateBranch(
  world: World,
  repo: Repository,
  issue: PullIssue,
  by: Author,
  order: { readonly expected_head_sha?: string | undefined },
): Promise<string> {
  const { pull } = issue;
  if (order.expected_head_sha !== undefined && order.expected_head_sha !== pull.headSha) {
    throw new Refusal(422, `expected_head_sha ${order.expected_head_sha} does not match the current head`);
  }
  const base = await repo.git.commitAt(`refs/heads/${pull.baseRef}`);
  const tree =
    base === undefined || pull.headRepo !== repo
      ? undefined
      : await mergeTrees(repo.git, pull.headSha, base.oid);
  if (base === undefined || tree === undefined)
    throw new Refusal(422, "merge conflict between base and head");
  if (await repo.git.isAncestor(base.oid, pull.headSha)) {
    throw new Refusal(422, "There are no new commits on the base branch.");
  }
  const author = identOf(world, by);
  const message = `Merge branch '${pull.baseRef}' into ${pull.headRef}`;
  const parents = [pull.headSha, base.oid];
  const sha = await repo.git.writeCommit(
    signCommit(world, commitText({ tree, parents, author, committer: author, message })),
  );
  const ref = `refs/heads/${pull.headRef}`;
  const before = pull.headSha;
  if (!(await repo.git.updateRef(ref, sha, before))) throw new Refusal(409, "Head branch was modified.");
  await afterRefsMoved(world, repo, by, [{ ref, before, after: sha }]);
  return sha;
}

export function identOf(world: World, by: Author): Ident {
  return {
    name: by.account.login,
    email: noreplyEmail(by.account),
    at: Math.floor(world.now() / 1000),
    zone: "+0000",
  };
}

function notMergeable(): Refusal {
  return new Refusal(405, "Pull Request is not mergeable");
}
