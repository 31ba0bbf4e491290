/** Files and folders as the Contents API presents them. */
import { posix } from "node:path";
import type { TreeEntry } from "../git/objects.ts";
import type { Repository } from "../state/model.ts";
import type { World } from "../world.ts";
import { base64Lines } from "./git.ts";
import { listTree } from "../git/tree-list.ts";
import { repositoryUrl, repositoryWebUrl } from "./repository.ts";

/** GitHub docs: up to 1 MB comes with its content; above, only the raw media type gives it. */
const LARGEST_INLINE_BYTES = 1024 * 1024;

type ContentFile = {
  readonly entry: TreeEntry;
  readonly kind: "file" | "symlink" | "submodule";
  readonly data: Buffer | undefined;
  /** Where a link points, as written in it. */
  readonly target: string | undefined;
};

/** What an entry is once links to files of the same repository are followed. */
export async function fileAt(
  repo: Repository,
  tree: string,
  path: string,
  entry: TreeEntry,
): Promise<ContentFile> {
  if (entry.type === "commit") return { entry, kind: "submodule", data: undefined, target: undefined };
  const data = (await repo.git.read(entry.oid))?.data;
  if (entry.mode !== "120000") return { entry, kind: "file", data, target: undefined };
  const target = data?.toString("utf8") ?? "";
  const inside = posix.normalize(posix.join(posix.dirname(path), target));
  const pointed =
    target.startsWith("/") || inside.startsWith("..") ? undefined : await repo.git.entryAt(tree, inside);
  if (pointed?.type !== "blob" || pointed.mode === "120000") return { entry, kind: "symlink", data, target };
  return { entry: pointed, kind: "file", data: (await repo.git.read(pointed.oid))?.data, target: undefined };
}

function links(world: World, repo: Repository, entry: TreeEntry, path: string, ref: string) {
  const inPath = path.split("/").map(encodeURIComponent).join("/");
  const url = `${repositoryUrl(world, repo)}/contents/${inPath}?ref=${encodeURIComponent(ref)}`;
  const web = repositoryWebUrl(world, repo);
  const kind = entry.type === "tree" ? "trees" : "blobs";
  const git = entry.type === "commit" ? null : `${repositoryUrl(world, repo)}/git/${kind}/${entry.oid}`;
  const html = `${web}/${entry.type === "tree" ? "tree" : "blob"}/${encodeURI(ref)}/${inPath}`;
  return {
    url,
    html_url: html,
    git_url: git,
    download_url: entry.type === "blob" ? `${web}/raw/${encodeURI(ref)}/${inPath}` : null,
    _links: { self: url, git, html },
  };
}

/** `content-file`, `content-symlink` or `content-submodule`. */
export function contentShape(world: World, repo: Repository, file: ContentFile, path: string, ref: string) {
  const { entry, data } = file;
  const size = data?.length ?? 0;
  const inline = file.kind === "file" && size <= LARGEST_INLINE_BYTES;
  return {
    type: file.kind,
    name: posix.basename(path),
    path,
    sha: entry.oid,
    size,
    ...links(world, repo, entry, path, ref),
    ...(file.target === undefined ? {} : { target: file.target }),
    ...(file.kind === "submodule" ? { submodule_git_url: null } : {}),
    content: inline && data !== undefined ? base64Lines(data) : "",
    encoding: inline ? "base64" : "none",
  };
}

/** `content-directory`: at most 1,000 entries, without contents. Submodules are listed as files, as GitHub does. */
export async function folderShape(
  world: World,
  repo: Repository,
  tree: string,
  path: string,
  ref: string,
): Promise<object[]> {
  const { entries } = await listTree(repo.git, tree, false);
  return entries.slice(0, 1_000).map(({ entry, size }) => {
    const full = path === "" ? entry.name : `${path}/${entry.name}`;
    const type = entry.type === "tree" ? "dir" : entry.mode === "120000" ? "symlink" : "file";
    const about = { name: entry.name, path: full, sha: entry.oid, size: size ?? 0, type };
    return Object.assign(about, links(world, repo, entry, full, ref));
  });
}
