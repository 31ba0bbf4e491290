/** One mention, from the issue a person opens to the bot's last word. */
import { finalComment, parts, personIn } from "../world/person.ts";
import type { World } from "../world/start-world.ts";

export type Played = {
  /** From the request that opened the issue to the final comment, in milliseconds. */
  readonly ms: number;
  readonly issue: number;
  readonly comment: string | undefined;
  readonly pullRequest: PlayedPullRequest | undefined;
  /** Why there is no comment. */
  readonly why?: string;
};

export type PlayedPullRequest = {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  readonly body: string;
  readonly branch: string;
  readonly draft: boolean;
  readonly files: readonly string[];
};

export async function playMention(
  world: World,
  fullName: string,
  issue: { title: string; body: string },
): Promise<Played> {
  const ada = personIn(world, "ada");
  const from = performance.now();
  const number = await ada.openIssue(fullName, issue);
  try {
    const comment = await finalComment(world, ada, fullName, number);
    const ms = Math.round(performance.now() - from);
    return { ms, issue: number, comment, pullRequest: await pullRequestOf(world, fullName, number) };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return {
      ms: Math.round(performance.now() - from),
      issue: number,
      comment: undefined,
      pullRequest: undefined,
      why,
    };
  }
}

/** The pull request that closes an issue, found as anyone would: by its body. */
async function pullRequestOf(
  world: World,
  fullName: string,
  issue: number,
): Promise<PlayedPullRequest | undefined> {
  const { octokit } = personIn(world, "ada");
  const { data } = await octokit.rest.pulls.list({ ...parts(fullName), state: "open", per_page: 100 });
  const pull = data.find(({ body }) => body?.startsWith(`Closes #${issue}\n`));
  if (pull === undefined) return undefined;
  const files = await octokit.rest.pulls.listFiles({ ...parts(fullName), pull_number: pull.number });
  return {
    number: pull.number,
    url: pull.html_url,
    title: pull.title,
    body: pull.body ?? "",
    branch: pull.head.ref,
    draft: pull.draft ?? false,
    files: files.data.map(({ filename }) => filename),
  };
}
