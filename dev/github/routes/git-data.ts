/** Blobs, trees and commits of the Git Data API. */
import { z } from "zod";
import { identOf } from "../acts/merge.ts";
import { OBJECT_ID } from "../git/store.ts";
import { editTree } from "../git/tree-edit.ts";
import type { TreeEdit } from "../git/tree-edit.ts";
import { commitText } from "../git/objects.ts";
import type { Ident } from "../git/objects.ts";
import { created, ok } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { grants } from "../http/access.ts";
import { Refusal, notByIntegration, notFound, unprocessable } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { blobShape, gitCommitShape, treeEntryShape } from "../shapes/git.ts";
import { repositoryUrl } from "../shapes/repository.ts";
import { signCommit } from "../shapes/verification.ts";
import { requireCommits } from "./find.ts";
import { listTree } from "../git/tree-list.ts";

export const READ_CONTENTS = { needs: ["contents:read"], role: "read" } as const;
export const WRITE_CONTENTS = { needs: ["contents:write"], role: "write" } as const;

const NewBlob = z.object({ content: z.string(), encoding: z.enum(["utf-8", "base64"]).default("utf-8") });
const MODES = {
  "100644": "blob",
  "100755": "blob",
  "120000": "blob",
  "040000": "tree",
  "160000": "commit",
} as const;
const NewTree = z.object({
  base_tree: z.string().nullish(),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.enum(["100644", "100755", "040000", "160000", "120000"]),
      type: z.enum(["blob", "tree", "commit"]).optional(),
      sha: z.string().nullable().optional(),
      content: z.string().optional(),
    }),
  ),
});
const Person = z.object({ name: z.string(), email: z.string(), date: z.string().optional() });
const NewCommit = z.object({
  message: z.string(),
  tree: z.string(),
  parents: z.array(z.string()).default([]),
  author: Person.optional(),
  committer: Person.partial().optional(),
  signature: z.string().optional(),
});

export const gitDataRoutes: readonly RepoRoute[] = [
  inRepo("GET", "/git/blobs/:sha", READ_CONTENTS, async (call) => {
    await requireCommits(call);
    const object = await call.repo.git.read(shaOf(call));
    if (object?.type !== "blob") throw notFound();
    if (call.format === "raw") {
      return {
        status: 200,
        raw: { type: "application/vnd.github.raw; charset=utf-8", body: new Uint8Array(object.data) },
      };
    }
    return ok(blobShape(call.world, call.repo, object.oid, object.data));
  }),
  inRepo("POST", "/git/blobs", WRITE_CONTENTS, async (call) => {
    const { content, encoding } = call.body(NewBlob);
    await requireCommits(call);
    const sha = await call.repo.git.writeBlob(
      Buffer.from(content, encoding === "base64" ? "base64" : "utf8"),
    );
    call.wrote("blob", sha);
    return created({ sha, url: `${repositoryUrl(call.world, call.repo)}/git/blobs/${sha}` });
  }),
  inRepo("GET", "/git/trees/:sha+", READ_CONTENTS, getTree),
  inRepo("POST", "/git/trees", WRITE_CONTENTS, createTree),
  inRepo("GET", "/git/commits/:sha", READ_CONTENTS, async (call) => {
    await requireCommits(call);
    const commit = await call.repo.git.commit(shaOf(call));
    if (commit === undefined) throw notFound();
    return ok(gitCommitShape(call.world, call.repo, commit));
  }),
  inRepo("POST", "/git/commits", WRITE_CONTENTS, createCommit),
];

function shaOf(call: RepoCall): string {
  const sha = call.param("sha");
  if (OBJECT_ID.test(sha)) return sha;
  throw unprocessable("The sha parameter must be exactly 40 characters and contain only [0-9a-f].");
}

/** A tree by its id, or by the commit, branch or tag that has it. */
async function getTree(call: RepoCall) {
  await requireCommits(call);
  const { git } = call.repo;
  const named = call.param("sha");
  const commit = await git.commitAt(named);
  const oid = commit?.tree ?? named;
  const tree = OBJECT_ID.test(oid) ? await git.tree(oid) : undefined;
  if (tree === undefined) throw notFound();
  const listed = await listTree(git, oid, call.query("recursive") !== undefined);
  return ok({
    sha: commit?.oid ?? oid,
    url: `${repositoryUrl(call.world, call.repo)}/git/trees/${commit?.oid ?? oid}`,
    tree: listed.entries.map(({ entry, path, size }) =>
      treeEntryShape(call.world, call.repo, entry, path, size),
    ),
    truncated: listed.truncated,
  });
}

async function createTree(call: RepoCall) {
  const order = call.body(NewTree);
  const { git } = call.repo;
  await requireCommits(call);
  let base: string | null = null;
  if (order.base_tree !== undefined && order.base_tree !== null) {
    const { base_tree: named } = order;
    // A commit's id is taken as well, for its tree.
    base = (await git.commit(named))?.tree ?? named;
    if (!OBJECT_ID.test(base) || (await git.tree(base)) === undefined) {
      throw unprocessable("base_tree is not a valid tree oid");
    }
  }
  refuseWorkflows(
    call,
    order.tree.map((entry) => entry.path),
  );
  const edits: TreeEdit[] = [];
  for (const { path, mode, sha, content } of order.tree) {
    if ((sha === undefined) === (content === undefined)) {
      throw unprocessable(
        "Must supply either tree.sha or tree.content. Request will be rejected if both are present.",
      );
    }
    const oid = content === undefined ? sha : await git.writeBlob(Buffer.from(content, "utf8"));
    if (oid === null || oid === undefined) edits.push({ path, put: null });
    else if (!OBJECT_ID.test(oid)) throw unprocessable("tree.sha is not a valid SHA1");
    else edits.push({ path, put: { mode, type: MODES[mode], oid } });
  }
  const edited = await editTree(git, base, edits);
  if (!edited.ok) {
    throw unprocessable(
      edited.why === "bad-path" ? "tree.path contains a malformed path component" : "GitRPC::BadObjectState",
    );
  }
  call.wrote("tree", edited.tree);
  const listed = await listTree(git, edited.tree, false);
  const url = `${repositoryUrl(call.world, call.repo)}/git/trees/${edited.tree}`;
  const tree = listed.entries.map(({ entry, path, size }) =>
    treeEntryShape(call.world, call.repo, entry, path, size),
  );
  return created({ sha: edited.tree, url, tree, truncated: false });
}

/** GitHub docs: an App needs `workflows` to change .github/workflows, on top of contents. */
export function refuseWorkflows(call: RepoCall, paths: readonly string[]): void {
  if (call.actor.kind !== "installation" || grants(call.actor, "workflows:write")) return;
  if (paths.some((path) => path.startsWith(".github/workflows/"))) {
    throw notByIntegration("contents=write,workflows=write");
  }
}

/**
 * GitHub docs, "Create a commit": without author, committer and signature, and asked by an App, the commit is the
 * bot's and is signed by GitHub. An author given by the caller leaves it unsigned.
 */
async function createCommit(call: RepoCall) {
  const order = call.body(NewCommit);
  const { git } = call.repo;
  await requireCommits(call);
  if ((OBJECT_ID.test(order.tree) ? await git.tree(order.tree) : undefined) === undefined) {
    throw unprocessable("Tree SHA does not exist");
  }
  for (const parent of order.parents) {
    if ((OBJECT_ID.test(parent) ? await git.commit(parent) : undefined) === undefined) {
      throw unprocessable("Parent SHA does not exist or is not a commit object");
    }
  }
  const self = identOf(call.world, call.author);
  const author = order.author === undefined ? self : identFrom(order.author, self);
  const committer = order.committer === undefined ? author : identFrom(order.committer, author);
  const payload = commitText({
    tree: order.tree,
    parents: order.parents,
    author,
    committer,
    message: order.message,
  });
  const plainOrder =
    order.author === undefined && order.committer === undefined && order.signature === undefined;
  const signs = plainOrder && call.author.viaApp;
  const sha = await git.writeCommit(signs ? signCommit(call.world, payload) : payload);
  const commit = await git.commit(sha);
  if (commit === undefined) throw new Error(`commit ${sha} was written and cannot be read`);
  call.wrote("commit", sha);
  return created(gitCommitShape(call.world, call.repo, commit));
}

function identFrom(
  given: {
    readonly name?: string | undefined;
    readonly email?: string | undefined;
    readonly date?: string | undefined;
  },
  otherwise: Ident,
): Ident {
  const at = given.date === undefined ? otherwise.at : Math.floor(Date.parse(given.date) / 1000);
  if (Number.isNaN(at))
    throw new Refusal(422, "Invalid request.\n\nThe date is not a valid ISO 8601 timestamp.");
  return { name: given.name ?? otherwise.name, email: given.email ?? otherwise.email, at, zone: "+0000" };
}
