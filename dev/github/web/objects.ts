/** Pages of a public repository's files, commits and check runs: what their html_url and download_url point to. */
import { diffText } from "../git/diff.ts";
import type { Repository } from "../state/model.ts";
import { html, escape } from "./html.ts";

/** `rest` is the path below the repository: raw/REF/PATH, blob/REF/PATH, commit/SHA or runs/ID. */
export async function objectPage(repo: Repository, rest: string): Promise<Response | undefined> {
  const [kind = "", ...parts] = rest.split("/").map(decode);
  switch (kind) {
    case "raw":
    case "blob":
      return file(repo, parts);
    case "commit":
      return commit(repo, parts.join("/"));
    case "runs":
      return run(repo, Number(parts[0]));
    default:
      return undefined;
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

/** A ref may hold slashes: the shortest one that is a commit and has the rest as a file wins. */
async function file(repo: Repository, parts: readonly string[]): Promise<Response | undefined> {
  for (let length = 1; length < parts.length; length += 1) {
    const at = await repo.git.commitAt(parts.slice(0, length).join("/"));
    const path = parts.slice(length).join("/");
    const entry = at === undefined ? undefined : await repo.git.entryAt(at.tree, path);
    const object = entry?.type === "blob" ? await repo.git.read(entry.oid) : undefined;
    if (object === undefined) continue;
    // Never as HTML: the bytes are anybody's.
    const headers = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };
    return new Response(new Uint8Array(object.data), { headers });
  }
  return undefined;
}

async function commit(repo: Repository, sha: string): Promise<Response | undefined> {
  const found = await repo.git.commitAt(sha);
  if (found === undefined) return undefined;
  const diff = await diffText(repo.git, found.parents[0] ?? null, found.oid);
  const [title = ""] = found.message.split("\n");
  return html(title, `<pre>${escape(found.message)}</pre><pre>${escape(diff)}</pre>`);
}

function run(repo: Repository, id: number): Response | undefined {
  const found = repo.checkRuns.get(id);
  if (found === undefined) return undefined;
  const state = found.conclusion ?? found.status;
  const text = [found.title, found.summary, found.text].map((part) => `<pre>${escape(part ?? "")}</pre>`);
  return html(`${found.name}: ${state}`, text.join(""));
}
