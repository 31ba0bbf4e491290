/** Getting one commit, and nothing else, into our own repository under `state`. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Checkout } from "../../src/domain/container-protocol.ts";
import type { Base } from "./base.ts";
import { refuse } from "./faults.ts";
import { git, repositoryOf, tryGit } from "./git.ts";
import type { Places } from "./places.ts";

/**
 * Attributes for both repositories. `info/attributes` outranks every .gitattributes of the commit (gitattributes(5)),
 * so files reach the disk as the bytes that are in the objects: no line ends changed, no filter run, no `$Id$`.
 */
export const RAW_BYTES = "* -text -eol -ident -filter -working-tree-encoding";

const NETWORK = ["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60"];

/** Fetch `order.commit` afresh. The commit id is what was asked for, whatever the server sent. */
export async function fetchCommit(places: Places, order: Checkout): Promise<Base> {
  const repository = repositoryOf(places);
  rmSync(repository, { recursive: true, force: true });
  const format = order.commit.length === 64 ? "sha256" : "sha1";
  await git(places, ["init", "--quiet", "--bare", "--template=", `--object-format=${format}`, repository]);
  const fetch = [
    `--git-dir=${repository}`,
    ...NETWORK,
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-recurse-submodules",
    "--no-write-fetch-head",
    `--depth=${order.depth}`,
    order.url,
    `${order.commit}:refs/patchwright/base`,
  ];
  const run = await tryGit(places, fetch, { network: true });
  if (run.exit !== 0) refuseFetch(run.timedOut ? "the fetch took too long" : run.stderr);
  // A tree or a tag object under that id is not a commit to start from.
  const resolved = await tryGit(places, [
    `--git-dir=${repository}`,
    "show",
    "-s",
    "--format=%H %T",
    order.commit,
    "--",
  ]);
  const [commit = "", tree = ""] = resolved.stdout.toString("latin1").trim().split(" ");
  if (resolved.exit !== 0 || commit !== order.commit || tree === "") {
    refuse("commit-not-found", `${order.commit} is not a commit`);
  }
  mkdirSync(join(repository, "info"), { recursive: true });
  writeFileSync(join(repository, "info", "attributes"), `${RAW_BYTES} -diff -merge\n`);
  return { commit, tree };
}

/** Name what went wrong by git's own words (LC_ALL=C), since its exit code is 128 for all of them. */
function refuseFetch(said: string): never {
  if (/No space left on device|Disk quota exceeded/i.test(said)) return refuse("disk", said);
  // "upload-pack: not our ref ID" (protocol v0 and v2), "couldn't find remote ref", "Server does not allow request".
  if (/not our ref|find remote ref|does not allow request for unadvertised/i.test(said)) {
    return refuse("commit-not-found", said);
  }
  return refuse("repository-unreachable", said);
}
