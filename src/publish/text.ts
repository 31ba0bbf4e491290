/** What a commit and a pull request say. Pure. */
import type { CheckReport } from "../domain/checks.ts";
import type { Person } from "../domain/event.ts";
import type { SkippedPath } from "../domain/file-set.ts";
import { checksSection, leftOutSection, paragraphs } from "../report/sections.ts";
import { outgoing } from "../report/outgoing.ts";
import { cutMarkdown } from "../report/status-comment.ts";
import { redact } from "../lib/redact.ts";
import { wholeCharacters } from "../lib/whole-characters.ts";

export type ChangeStory = {
  readonly issue: number;
  /** A pull request is not closed by another: then the number is only named. */
  readonly onPullRequest: boolean;
  readonly title: string;
  readonly asker: Person;
  /** What was asked, as the proposal understood it. */
  readonly brief: string;
  /** The agent's own closing words. */
  readonly summary: string;
  readonly checks: CheckReport;
  readonly refused: readonly { readonly path: string; readonly why: string }[];
  readonly skipped: readonly SkippedPath[];
};

/** GitHub shows 72 characters of a subject, and truncates titles over 256. */
const SUBJECT_LENGTH = 72;
const TITLE_LENGTH = 200;

/** Longest part of the body that is not ours. GitHub refuses bodies over 65,536 characters. */
const PART_LENGTH = 15_000;

/** Longest body in all: many commands with much output add up. */
const BODY_LENGTH = 60_000;

/** Subject, reason, and trailers: the person who asked is a co-author, as GitHub's no-reply address. */
export function commitMessage(story: ChangeStory): string {
  const { id, login } = story.asker;
  return [
    oneLine(story, SUBJECT_LENGTH),
    `For #${story.issue}.`,
    `Co-authored-by: ${login} <${id}+${login}@users.noreply.github.com>`,
  ].join("\n\n");
}

export function pullRequestTitle(story: ChangeStory): string {
  return oneLine(story, TITLE_LENGTH);
}

export function pullRequestBody(story: ChangeStory): string {
  const text = paragraphs([
    `${story.onPullRequest ? "For" : "Closes"} #${story.issue}`,
    `### Asked\n\n${cutMarkdown(outgoing(story.brief), PART_LENGTH)}`,
    `### Done\n\n${cutMarkdown(outgoing(story.summary), PART_LENGTH)}`,
    `### Tested\n\n${checksSection(story.checks)}`,
    leftOutSection(story.refused, story.skipped),
    `Asked for by ${loginSpan(story.asker)} in #${story.issue}. Written by an agent in a container; please review it as you would a stranger's patch.`,
  ]);
  return cutMarkdown(text, BODY_LENGTH);
}

function loginSpan(person: Person): string {
  return `\`${person.login.replaceAll("`", "")}\``;
}

/** A title is merged as a commit's subject, which can close issues: it may name the one it is for, and no other. */
const CLOSES = /\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(:?\s+)((?:[\w.-]+\/[\w.-]+)?#|GH-)(\d+)/gi;

function oneLine(story: ChangeStory, most: number): string {
  const plain = redact(story.title)
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();
  const line = plain.replaceAll(CLOSES, (phrase, verb: string, gap: string, mark: string, issue: string) =>
    mark === "#" && Number(issue) === story.issue ? phrase : `${verb}${gap}${issue}`,
  );
  return line.length <= most ? line : `${wholeCharacters(line.slice(0, most - 1)).trimEnd()}…`;
}
