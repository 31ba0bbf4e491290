/** The pages html_url points to, as plain as they can be: enough for a person to read a thread. */
import type { Issue, Repository } from "../state/model.ts";
import { isPull, repositoryName } from "../state/model.ts";
import { diffText } from "../git/diff.ts";
import { commentsOf } from "../shapes/issue.ts";
import { isPublic } from "../shapes/pull.ts";
import { iso } from "../shapes/time.ts";
import type { World } from "../world.ts";
import { escape, html } from "./html.ts";
import { objectPage } from "./objects.ts";

const PATH = /^\/([^/]+)\/([^/]+)(?:\/(issues|pull)\/(\d+)(?:\.(diff|patch))?)?$/;

const BELOW = /^\/([^/]+)\/([^/]+)\/((?:raw|blob|commit|runs)\/.+)$/;

/** The page of a public repository or of something in it; undefined when the path is none. */
export async function page(world: World, path: string): Promise<Response | undefined> {
  const below = BELOW.exec(path);
  const match = PATH.exec(path) ?? below;
  const found = world.repositories.byName(`${match?.[1] ?? ""}/${match?.[2] ?? ""}`);
  // These pages know no log-in: a private repository is not shown to anybody.
  if (match === null || found.found === "no" || found.repo.private) return undefined;
  const { repo } = found;
  const [, , , kind, number, format] = match;
  if (below !== null) return objectPage(repo, below[3] ?? "");
  if (kind === undefined) return html(repositoryName(repo), repositoryBody(repo));
  const issue = repo.issues.get(Number(number));
  if (issue === undefined || (kind === "pull" && !isPull(issue))) return undefined;
  if (format !== undefined) return diff(repo, issue);
  return html(`${issue.title} · #${issue.number}`, threadBody(repo, issue));
}

async function diff(repo: Repository, issue: Issue): Promise<Response | undefined> {
  if (!isPull(issue)) return undefined;
  const from = (await repo.git.mergeBase(issue.pull.baseSha, issue.pull.headSha)) ?? null;
  const text = await diffText(repo.git, from, issue.pull.headSha);
  return new Response(text, { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}

function repositoryBody(repo: Repository): string {
  const rows = [...repo.issues.values()].map(
    (issue) =>
      `<li><a href="/${escape(repositoryName(repo))}/${isPull(issue) ? "pull" : "issues"}/${issue.number}">#${issue.number} ${escape(issue.title)}</a> (${issue.state})</li>`,
  );
  return `<p>${escape(repo.description ?? "")}</p><ul>${rows.join("")}</ul>`;
}

function threadBody(repo: Repository, issue: Issue): string {
  const labels = issue.labels.map((label) => `<code>${escape(label.name)}</code>`).join(" ");
  const branches = isPull(issue)
    ? `<p><code>${escape(issue.pull.headRef)}</code> into <code>${escape(issue.pull.baseRef)}</code></p>`
    : "";
  const comments = commentsOf(repo, issue).map((one) =>
    post(`issuecomment-${one.id}`, one.user.login, one.createdAt, one.body),
  );
  const reviews = [...repo.reviews.values()]
    .filter((review) => review.issue === issue && review.submittedAt !== null)
    .map((one) =>
      post(`pullrequestreview-${one.id}`, one.user.login, one.submittedAt ?? 0, `${one.state} ${one.body}`),
    );
  const lines = [...repo.reviewComments.values()]
    .filter((comment) => comment.issue === issue && isPublic(comment))
    .map((one) =>
      post(
        `discussion_r${one.id}`,
        one.user.login,
        one.createdAt,
        `${one.path}:${one.line ?? ""}\n${one.body}`,
      ),
    );
  const state = isPull(issue) && issue.pull.mergedAt !== null ? "merged" : issue.state;
  return [
    `<p><b>${state}</b> ${labels}</p>${branches}`,
    post(`issue-${issue.id}`, issue.user.login, issue.createdAt, issue.body ?? ""),
    ...comments,
    ...reviews,
    ...lines,
  ].join("\n");
}

function post(id: string, login: string, at: number, body: string): string {
  return `<article id="${id}"><h2>${escape(login)} <small>${iso(at)}</small></h2><pre>${escape(body)}</pre></article>`;
}
