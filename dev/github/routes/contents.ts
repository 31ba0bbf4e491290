/** The Contents API: files, folders, links and submodules by path, and single-file commits by people and bots. */
import { z } from "zod";
import { identOf } from "../acts/merge.ts";
import { afterRefsMoved } from "../acts/push.ts";
import { commitText } from "../git/objects.ts";
import type { Commit } from "../git/objects.ts";
import { editTree } from "../git/tree-edit.ts";
import type { TreeEdit } from "../git/tree-edit.ts";
import { ok } from "../http/call.ts";
import type { Reply, RepoCall } from "../http/call.ts";
import { Refusal, notFound, unprocessable } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { contentShape, fileAt, folderShape } from "../shapes/content.ts";
import { gitCommitShape } from "../shapes/git.ts";
import { signCommit } from "../shapes/verification.ts";
import { commitOfRef } from "./find.ts";
import { READ_CONTENTS, WRITE_CONTENTS, refuseWorkflows } from "./git-data.ts";

const Put = z.object({
  message: z.string(),
  content: z.string(),
  sha: z.string().optional(),
  branch: z.string().optional(),
});
const Deletion = z.object({ message: z.string(), sha: z.string(), branch: z.string().optional() });

export const contentRoutes: readonly RepoRoute[] = [
  inRepo("GET", "/contents/?", READ_CONTENTS, (call) => getContents(call, "")),
  inRepo("GET", "/contents/:path+", READ_CONTENTS, (call) =>
    getContents(call, call.param("path").replace(/^\/+|\/+$/g, "")),
  ),
  inRepo("PUT", "/contents/:path+", WRITE_CONTENTS, (call) => call.repo.git.exclusively(() => putFile(call))),
  inRepo("DELETE", "/contents/:path+", WRITE_CONTENTS, (call) =>
    call.repo.git.exclusively(() => deleteFile(call)),
  ),
  inRepo("GET", "/readme", READ_CONTENTS, async (call) => {
    const commit = await commitOfRef(call, call.query("ref"));
    const entries = (await call.repo.git.tree(commit.tree)) ?? [];
    const readme = entries.find((entry) => entry.type === "blob" && /^readme(\.\w+)?$/i.test(entry.name));
    if (readme === undefined) throw notFound();
    return getContents(call, readme.name);
  }),
];

async function getContents(call: RepoCall, path: string): Promise<Reply> {
  const ref = call.query("ref");
  const commit = await commitOfRef(call, ref);
  const { world, repo } = call;
  const shownRef = ref ?? repo.defaultBranch;
  const found = path === "" ? undefined : await repo.git.entryAt(commit.tree, path);
  if (path === "" || found?.type === "tree") {
    return ok(await folderShape(world, repo, found?.oid ?? commit.tree, path, shownRef));
  }
  if (found === undefined) throw notFound();
  // GitHub docs: a link to a file in the repository is answered with the file it points to.
  const file = await fileAt(repo, commit.tree, path, found);
  if (call.format === "raw" && file.data !== undefined) {
    return {
      status: 200,
      raw: { type: "application/vnd.github.raw; charset=utf-8", body: new Uint8Array(file.data) },
    };
  }
  return ok(contentShape(world, repo, file, path, shownRef));
}

async function putFile(call: RepoCall): Promise<Reply> {
  const order = call.body(Put);
  const path = call.param("path");
  const at = await branchTip(call, order.branch);
  const existing = at.tip === undefined ? undefined : await call.repo.git.entryAt(at.tip.tree, path);
  if (existing !== undefined && existing.type === "blob") {
    if (order.sha === undefined) throw unprocessable(`Invalid request.\n\n"sha" wasn't supplied.`);
    if (order.sha !== existing.oid) throw new Refusal(409, `${path} does not match ${order.sha}`);
  }
  refuseWorkflows(call, [path]);
  const oid = await call.repo.git.writeBlob(Buffer.from(order.content, "base64"));
  const mode = existing?.type === "blob" ? existing.mode : "100644";
  const edit: TreeEdit = { path, put: { mode, type: "blob", oid } };
  const commit = await commitEdit(call, at, edit, order.message);
  const entry = await call.repo.git.entryAt(commit.tree, path);
  if (entry === undefined) throw new Error(`${path} was committed and cannot be read`);
  const file = await fileAt(call.repo, commit.tree, path, entry);
  // Here the content object comes without the bytes just sent.
  const {
    content: _content,
    encoding: _encoding,
    ...shape
  } = contentShape(call.world, call.repo, file, path, at.branch);
  const json = { content: shape, commit: gitCommitShape(call.world, call.repo, commit) };
  return { status: existing === undefined ? 201 : 200, json };
}

async function deleteFile(call: RepoCall): Promise<Reply> {
  const order = call.body(Deletion);
  const path = call.param("path");
  const at = await branchTip(call, order.branch);
  const existing = at.tip === undefined ? undefined : await call.repo.git.entryAt(at.tip.tree, path);
  if (existing === undefined) throw notFound();
  if (order.sha !== existing.oid) throw new Refusal(409, `${path} does not match ${order.sha}`);
  refuseWorkflows(call, [path]);
  const commit = await commitEdit(call, at, { path, put: null }, order.message);
  return ok({ content: null, commit: gitCommitShape(call.world, call.repo, commit) });
}

type Tip = { readonly branch: string; readonly tip: Commit | undefined };

/** The branch to commit on; only an empty repository's default branch may not exist yet. */
async function branchTip(call: RepoCall, named: string | undefined): Promise<Tip> {
  const branch = named ?? call.repo.defaultBranch;
  const tip = await call.repo.git.commitAt(`refs/heads/${branch}`);
  if (tip === undefined && (await call.repo.git.hasRefs()))
    throw new Refusal(404, `Branch ${branch} not found`);
  return { branch, tip };
}

async function commitEdit(call: RepoCall, at: Tip, edit: TreeEdit, message: string): Promise<Commit> {
  const { git } = call.repo;
  const edited = await editTree(git, at.tip?.tree ?? null, [edit]);
  if (!edited.ok) throw unprocessable("path contains a malformed path component");
  const author = identOf(call.world, call.author);
  const committer = call.author.viaApp ? author : { ...author, name: "GitHub", email: "noreply@github.com" };
  const parents = at.tip === undefined ? [] : [at.tip.oid];
  const text = commitText({ tree: edited.tree, parents, author, committer, message });
  const sha = await git.writeCommit(signCommit(call.world, text));
  const ref = `refs/heads/${at.branch}`;
  if (!(await git.updateRef(ref, sha, at.tip?.oid ?? "0".repeat(40)))) {
    throw new Refusal(409, `${edit.path} does not match`);
  }
  call.wrote("commit", sha);
  await afterRefsMoved(call.world, call.repo, call.author, [
    { ref, before: at.tip?.oid ?? null, after: sha },
  ]);
  const commit = await git.commit(sha);
  if (commit === undefined) throw new Error(`commit ${sha} was written and cannot be read`);
  return commit;
}
