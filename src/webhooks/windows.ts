/**
 * What we look at in GitHub's large payloads: only the fields we use, and ending in our own words. A payload that does
 * not fit is refused, so a body replayed under another event's name goes nowhere.
 */
import { z } from "zod";
import type { Person, RepositoryRef, RepoEvent, Said, Thread } from "../domain/event.ts";

/** The longest text kept as an instruction, in UTF-16 units: GitHub's own cap on a body. */
const MAX_TEXT = 65_536;

const Id = z.number().int().positive();
const Text = z
  .string()
  .nullish()
  .transform((text) => (text ?? "").slice(0, MAX_TEXT));

const User = z
  .object({ id: Id, login: z.string().min(1), type: z.string() })
  .transform((user): Person => user);

const Repository = z
  .object({
    id: Id,
    name: z.string().min(1),
    owner: z.object({ login: z.string().min(1) }),
    private: z.boolean(),
    default_branch: z.string().min(1),
  })
  .transform((repository): RepositoryRef => ({
    id: repository.id,
    owner: repository.owner.login,
    name: repository.name,
    private: repository.private,
    defaultBranch: repository.default_branch,
  }));

const Issue = z.object({
  id: Id,
  number: Id,
  title: z.string(),
  body: Text,
  html_url: z.string(),
  created_at: z.string(),
  user: User.nullish(),
  pull_request: z.object({}).nullish(),
});

const Common = {
  installation: z.object({ id: Id }),
  repository: Repository,
  sender: User,
  issue: Issue,
};

type About = Omit<RepoEvent, "delivery">;

const CommentCreated = z
  .object({
    ...Common,
    action: z.literal("created"),
    comment: z.object({
      id: Id,
      body: Text,
      html_url: z.string(),
      created_at: z.string(),
      user: User.nullish(),
    }),
  })
  .transform(({ comment, issue, sender, ...rest }): About => {
    const said: Said = {
      kind: "issue-comment",
      id: comment.id,
      author: comment.user ?? sender,
      text: comment.body,
      url: comment.html_url,
      at: comment.created_at,
    };
    return { event: "issue_comment.created", ...who(rest), thread: threadOf(issue), sender, said };
  });

const IssueOpened = z
  .object({ ...Common, action: z.literal("opened") })
  .transform(({ issue, sender, ...rest }): About => {
    const said: Said = {
      kind: "issue",
      id: issue.id,
      author: issue.user ?? sender,
      // A mention in the title counts, so the title is part of what was said.
      text: issue.body === "" ? issue.title : `${issue.title}\n\n${issue.body}`,
      url: issue.html_url,
      at: issue.created_at,
    };
    return { event: "issues.opened", ...who(rest), thread: threadOf(issue), sender, said };
  });

/** The events we act on, each with its window. Everything else is answered 202 and left alone. */
export const WINDOWS = {
  "issue_comment.created": CommentCreated,
  "issues.opened": IssueOpened,
} as const satisfies Record<RepoEvent["event"], z.ZodType<About>>;

/** What tells one event from another inside a signed body. */
export const Action = z.object({ action: z.string().max(64).optional() });

function who(rest: {
  installation: { id: number };
  repository: RepositoryRef;
}): Pick<RepoEvent, "installation" | "repository"> {
  return { installation: rest.installation.id, repository: rest.repository };
}

function threadOf(issue: z.infer<typeof Issue>): Thread {
  return {
    number: issue.number,
    onPullRequest: issue.pull_request !== undefined && issue.pull_request !== null,
    title: issue.title,
    body: issue.body,
    url: issue.html_url,
  };
}
