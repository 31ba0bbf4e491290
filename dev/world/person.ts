/** A person of the local world at work: what they do goes through GitHub's REST with their own token, as in reality. */
import { Octokit } from "octokit";
import type { User, World } from "./start-world.ts";

export type Person = {
  readonly login: string;
  readonly octokit: Octokit;
  openIssue(fullName: string, issue: { title: string; body: string }): Promise<number>;
  comment(fullName: string, issue: number, body: string): Promise<number>;
  comments(fullName: string, issue: number): Promise<readonly { id: number; author: string; body: string }[]>;
};

export function personIn(world: World, login: string): Person {
  const user: User | undefined = world.users[login];
  if (user === undefined) throw new Error(`there is no ${login} in the local world`);
  const octokit = new Octokit({
    auth: user.token,
    baseUrl: world.github.apiUrl,
    throttle: { enabled: false },
    retry: { enabled: false },
  });
  return {
    login,
    octokit,
    openIssue: async (fullName, issue) => {
      const { data } = await octokit.rest.issues.create({ ...parts(fullName), ...issue });
      return data.number;
    },
    comment: async (fullName, issue, body) => {
      const { data } = await octokit.rest.issues.createComment({
        ...parts(fullName),
        issue_number: issue,
        body,
      });
      return data.id;
    },
    comments: async (fullName, issue) => {
      const { data } = await octokit.rest.issues.listComments({
        ...parts(fullName),
        issue_number: issue,
        per_page: 100,
      });
      return data.map(({ id, user: author, body }) => ({
        id,
        author: author?.login ?? "",
        body: body ?? "",
      }));
    },
  };
}

export function parts(fullName: string): { owner: string; repo: string } {
  const [owner = "", repo = ""] = fullName.split("/", 2);
  return { owner, repo };
}

/** The words of a status comment that has not ended. */
const WORKING = "**Working on it**";

/**
 * The bot's `nth` comment on a thread, once it is final.
 * @param seconds how long to wait for it
 * @throws Error with what was there instead
 */
export async function finalComment(
  world: World,
  asker: Person,
  fullName: string,
  issue: number,
  { nth = 1, seconds = 120 }: { nth?: number; seconds?: number } = {},
): Promise<string> {
  const bot = `${world.app.slug}[bot]`;
  const until = Date.now() + seconds * 1_000;
  for (;;) {
    const comments = await asker.comments(fullName, issue);
    const body = comments.filter(({ author }) => author === bot)[nth - 1]?.body;
    if (body !== undefined && !body.includes(WORKING)) return body;
    if (Date.now() > until) {
      throw new Error(
        `no final comment on ${fullName}#${issue} within ${seconds} s; there is: ${body ?? "none"}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
