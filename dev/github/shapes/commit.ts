/** Commits and changed files as the Commits, Compare and Pulls APIs present them. */
import type { FileDiff } from "../git/diff.ts";
import type { Commit, Ident } from "../git/objects.ts";
import type { Account, Repository } from "../state/model.ts";
import type { World } from "../world.ts";
import { gitCommitShape } from "./git.ts";
import { repositoryUrl, repositoryWebUrl } from "./repository.ts";
import { userShape } from "./user.ts";

/** The account an e-mail address belongs to: the noreply form, with or without the id in front. */
export function accountByEmail(world: World, email: string): Account | undefined {
  const match = /^(?:\d+\+)?(.+)@users\.noreply\.github\.com$/.exec(email);
  return match === null ? undefined : world.accounts.find(match[1] ?? "");
}

export function noreplyEmail(account: Account): string {
  return `${account.id}+${account.login}@users.noreply.github.com`;
}

/** `commit`, without stats and files. */
export function commitShape(world: World, repo: Repository, commit: Commit) {
  const url = repositoryUrl(world, repo);
  const web = repositoryWebUrl(world, repo);
  const git = gitCommitShape(world, repo, commit);
  const userOf = (ident: Ident) => {
    const account = accountByEmail(world, ident.email);
    return account === undefined ? null : userShape(world, account);
  };
  return {
    sha: commit.oid,
    node_id: git.node_id,
    commit: {
      author: git.author,
      committer: git.committer,
      message: git.message,
      tree: git.tree,
      url: git.url,
      comment_count: 0,
      verification: git.verification,
    },
    url: `${url}/commits/${commit.oid}`,
    html_url: `${web}/commit/${commit.oid}`,
    comments_url: `${url}/commits/${commit.oid}/comments`,
    author: userOf(commit.author),
    committer: userOf(commit.committer),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${url}/commits/${sha}`,
      html_url: `${web}/commit/${sha}`,
    })),
  };
}

/** `diff-entry` at `head`, the commit whose version of the file the addresses point to. */
export function fileShape(world: World, repo: Repository, file: FileDiff, head: string): object {
  const path = file.filename.split("/").map(encodeURIComponent).join("/");
  const web = repositoryWebUrl(world, repo);
  return {
    sha: file.sha,
    filename: file.filename,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${web}/blob/${head}/${path}`,
    raw_url: `${web}/raw/${head}/${path}`,
    contents_url: `${repositoryUrl(world, repo)}/contents/${path}?ref=${head}`,
    ...(file.patch === undefined ? {} : { patch: file.patch }),
    ...(file.previous === undefined ? {} : { previous_filename: file.previous }),
  };
}

/** `stats` of a list of files. */
export function statsOf(files: readonly FileDiff[]) {
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return { total: additions + deletions, additions, deletions };
}
