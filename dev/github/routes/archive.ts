/** Source archives: the API redirects to a signed download, as GitHub does to codeload. */
import { timingSafeEqual } from "node:crypto";
import { git } from "../git/run.ts";
import type { RepoCall } from "../http/call.ts";
import { inRepo } from "../http/route.ts";
import type { RepoRoute } from "../http/route.ts";
import { repositoryName } from "../state/model.ts";
import type { World } from "../world.ts";
import { READ_CONTENTS } from "./git-data.ts";

/** GitHub docs: links to private archives work for five minutes. */
const LINK_LIFE_MS = 5 * 60 * 1000;

export const archiveRoutes: readonly RepoRoute[] = (["tarball", "zipball"] as const).flatMap((kind) => [
  inRepo("GET", `/${kind}`, READ_CONTENTS, (call) => redirect(call, kind, call.repo.defaultBranch)),
  inRepo("GET", `/${kind}/:ref+`, READ_CONTENTS, (call) => redirect(call, kind, call.param("ref"))),
]);

/** 302 also for a ref that does not exist: the download then answers 404. */
function redirect(call: RepoCall, kind: "tarball" | "zipball", ref: string) {
  const form = kind === "tarball" ? "legacy.tar.gz" : "legacy.zip";
  const name = ref.split("/").map(encodeURIComponent).join("/");
  const path = `/_codeload/${repositoryName(call.repo)}/${form}/${name}`;
  const expires = call.world.now() + LINK_LIFE_MS;
  const query = `expires=${expires}&signature=${call.world.sign(`${path}:${expires}`)}`;
  return { status: 302, headers: { Location: `${call.world.url}${path}?${query}` } };
}

/** GET /_codeload/OWNER/REPO/FORM/REF with the signature of `redirect`. Needs, and looks at, no credential. */
export async function download(world: World, url: URL): Promise<Response> {
  const expires = Number(url.searchParams.get("expires"));
  const signature = Buffer.from(url.searchParams.get("signature") ?? "");
  const expected = Buffer.from(world.sign(`${url.pathname}:${expires}`));
  const genuine = signature.length === expected.length && timingSafeEqual(signature, expected);
  const match = /^\/_codeload\/([^/]+\/[^/]+)\/legacy\.(tar\.gz|zip)\/(.+)$/.exec(url.pathname);
  const found = world.repositories.byName(match?.[1] ?? "");
  if (!genuine || expires < world.now() || match === null || found.found === "no") return missing();
  const commit = await found.repo.git.commitAt(decodeURIComponent(match[3] ?? ""));
  if (commit === undefined) return missing();
  const form = match[2] ?? "tar.gz";
  const base = `${found.repo.owner.login}-${found.repo.name}-${commit.oid.slice(0, 7)}`;
  const archive = await git(found.repo.git.dir, [
    "archive",
    `--format=${form}`,
    `--prefix=${base}/`,
    commit.oid,
  ]);
  return new Response(new Uint8Array(archive), {
    headers: {
      "Content-Type": form === "zip" ? "application/zip" : "application/x-gzip",
      "Content-Disposition": `attachment; filename=${base}.${form}`,
      ETag: `W/"${commit.oid}"`,
    },
  });
}

function missing(): Response {
  return new Response("404: Not Found", {
    status: 404,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
