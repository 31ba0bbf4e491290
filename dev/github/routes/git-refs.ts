/** References of the Git Data API. Every move is announced, as a push would be. */
import { z } from "zod";
import { afterRefsMoved } from "../acts/push.ts";
import { OBJECT_ID, isPlainName } from "../git/store.ts";
import { created, noContent, ok } from "../http/call.ts";
import type { RepoCall } from "../http/call.ts";
import { listReply } from "../http/paging.ts";
import { notFound, unprocessable } from "../http/refusal.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { refShape } from "../shapes/git.ts";
import { requireCommits } from "./find.ts";
import { READ_CONTENTS, WRITE_CONTENTS } from "./git-data.ts";

const NewRef = z.object({ ref: z.string(), sha: z.string() });
const RefMove = z.object({ sha: z.string(), force: z.boolean().default(false) });

export const gitRefRoutes: readonly RepoRoute[] = [
  inRepo("GET", "/git/ref/:ref+", READ_CONTENTS, async (call) => {
    await requireCommits(call);
    const ref = await call.repo.git.ref(`refs/${call.param("ref")}`);
    if (ref === undefined) throw notFound();
    return ok(refShape(call.world, call.repo, ref));
  }),
  inRepo("GET", "/git/matching-refs/:ref+", READ_CONTENTS, async (call) => {
    await requireCommits(call);
    const refs = await call.repo.git.refs(`refs/${call.param("ref")}`);
    return listReply(call, refs, (ref) => refShape(call.world, call.repo, ref));
  }),
  inRepo("POST", "/git/refs", WRITE_CONTENTS, (call) => call.repo.git.exclusively(() => createRef(call))),
  inRepo("PATCH", "/git/refs/:ref+", WRITE_CONTENTS, (call) =>
    call.repo.git.exclusively(() => moveRef(call)),
  ),
  inRepo("DELETE", "/git/refs/:ref+", WRITE_CONTENTS, (call) =>
    call.repo.git.exclusively(() => deleteRef(call)),
  ),
];

async function createRef(call: RepoCall) {
  const { ref, sha } = call.body(NewRef);
  const { git } = call.repo;
  await requireCommits(call);
  if (!/^refs\/[^/]+\/./.test(ref) || !isPlainName(ref)) {
    throw unprocessable(`${ref} is not a valid ref name.`);
  }
  const target = await targetOf(call, ref, sha);
  if ((await git.ref(ref)) !== undefined) throw unprocessable("Reference already exists");
  // git refuses refs/heads/a/b beside refs/heads/a; GitHub passes that on without saying why.
  if (ref.startsWith("refs/pull/") || !(await git.updateRef(ref, sha, "0".repeat(40)))) {
    throw unprocessable("Reference update failed");
  }
  call.wrote("ref", ref);
  await afterRefsMoved(call.world, call.repo, call.author, [{ ref, before: null, after: sha }]);
  return created(refShape(call.world, call.repo, { name: ref, oid: sha, type: target }));
}

async function moveRef(call: RepoCall) {
  const { sha, force } = call.body(RefMove);
  const { git } = call.repo;
  await requireCommits(call);
  const ref = `refs/${call.param("ref")}`;
  const current = await git.ref(ref);
  if (current === undefined) throw unprocessable("Reference does not exist");
  const target = await targetOf(call, ref, sha);
  if (!force && !(await git.isAncestor(current.oid, sha)))
    throw unprocessable("Update is not a fast forward");
  if (ref.startsWith("refs/pull/") || !(await git.updateRef(ref, sha, current.oid))) {
    throw unprocessable("Reference update failed");
  }
  call.wrote("ref", ref);
  if (sha !== current.oid) {
    await afterRefsMoved(call.world, call.repo, call.author, [{ ref, before: current.oid, after: sha }]);
  }
  return ok(refShape(call.world, call.repo, { name: ref, oid: sha, type: target }));
}

async function deleteRef(call: RepoCall) {
  const { git, defaultBranch } = call.repo;
  await requireCommits(call);
  const ref = `refs/${call.param("ref")}`;
  const current = await git.ref(ref);
  if (current === undefined) throw unprocessable("Reference does not exist");
  if (ref === `refs/heads/${defaultBranch}`) throw unprocessable("Cannot delete the default branch");
  if (ref.startsWith("refs/pull/") || !(await git.updateRef(ref, null, current.oid))) {
    throw unprocessable("Reference update failed");
  }
  call.wrote("ref-deletion", ref);
  await afterRefsMoved(call.world, call.repo, call.author, [{ ref, before: current.oid, after: null }]);
  return noContent();
}

/** The type of the object a ref shall name; branches name commits only. */
async function targetOf(call: RepoCall, ref: string, sha: string): Promise<string> {
  if (!OBJECT_ID.test(sha))
    throw unprocessable("The sha parameter must be exactly 40 characters and contain only [0-9a-f].");
  const object = await call.repo.git.info(sha);
  if (object === undefined) throw unprocessable("Object does not exist");
  if (ref.startsWith("refs/heads/") && object.type !== "commit")
    throw unprocessable("Reference update failed");
  return object.type;
}
