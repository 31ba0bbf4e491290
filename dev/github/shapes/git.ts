/** Git objects and refs as the Git Data API presents them. */
import type { Commit, Ident, TreeEntry } from "../git/objects.ts";
import { nodeId } from "../state/ids.ts";
import type { Repository } from "../state/model.ts";
import type { World } from "../world.ts";
import { verificationOf } from "./verification.ts";
import { repositoryUrl, repositoryWebUrl } from "./repository.ts";
import { iso } from "./time.ts";

function identShape(ident: Ident) {
  return { name: ident.name, email: ident.email, date: iso(ident.at * 1000) };
}

/** `git-commit`. */
export function gitCommitShape(world: World, repo: Repository, commit: Commit) {
  const url = repositoryUrl(world, repo);
  const web = repositoryWebUrl(world, repo);
  return {
    sha: commit.oid,
    node_id: nodeId("Commit", repo.id, commit.oid),
    url: `${url}/git/commits/${commit.oid}`,
    html_url: `${web}/commit/${commit.oid}`,
    author: identShape(commit.author),
    committer: identShape(commit.committer),
    tree: { sha: commit.tree, url: `${url}/git/trees/${commit.tree}` },
    // The API answers messages without their final line feed.
    message: commit.message.replace(/\n+$/, ""),
    parents: commit.parents.map((sha) => ({
      sha,
      url: `${url}/git/commits/${sha}`,
      html_url: `${web}/commit/${sha}`,
    })),
    verification: verificationOf(world, commit),
  };
}

/** One entry of `git-tree`; `size` for blobs only. A submodule has no url. */
export function treeEntryShape(
  world: World,
  repo: Repository,
  entry: TreeEntry,
  path: string,
  size: number | undefined,
): object {
  const url = repositoryUrl(world, repo);
  return {
    path,
    mode: entry.mode,
    type: entry.type,
    sha: entry.oid,
    ...(entry.type === "blob" && size !== undefined ? { size } : {}),
    ...(entry.type === "commit"
      ? {}
      : { url: `${url}/git/${entry.type === "tree" ? "trees" : "blobs"}/${entry.oid}` }),
  };
}

export function refShape(
  world: World,
  repo: Repository,
  ref: { readonly name: string; readonly oid: string; readonly type: string },
) {
  const url = repositoryUrl(world, repo);
  return {
    ref: ref.name,
    node_id: nodeId("Ref", repo.id, ref.name),
    url: `${url}/git/${ref.name}`,
    object: { sha: ref.oid, type: ref.type, url: `${url}/git/${ref.type}s/${ref.oid}` },
  };
}

export function blobShape(world: World, repo: Repository, oid: string, data: Buffer) {
  return {
    sha: oid,
    node_id: nodeId("Blob", repo.id, oid),
    size: data.length,
    url: `${repositoryUrl(world, repo)}/git/blobs/${oid}`,
    content: base64Lines(data),
    encoding: "base64",
  };
}

/** GitHub breaks base64 into lines of 60 characters, each ended by a line feed. */
export function base64Lines(data: Buffer): string {
  return data.toString("base64").replace(/.{1,60}/g, "$&\n");
}
