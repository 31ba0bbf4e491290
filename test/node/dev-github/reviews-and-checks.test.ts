import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Octokit } from "octokit";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { app, person, refusal, start } from "./local-github.ts";
import type { Started } from "./local-github.ts";
import { lines, openPull } from "./pull-requests.ts";

let started: Started;
let github: LocalGitHub;
let ada: Octokit;
let bot: Octokit;
const at = { owner: "acme", repo: "widgets" };

beforeAll(async () => {
  started = await start();
  github = started.github;
  ada = person(github, github.addUser("ada").token);
  await github.addRepository({
    owner: "acme",
    name: "widgets",
    private: true,
    files: { "a.txt": lines(40) },
  });
  github.setPermission("acme/widgets", "ada", "write");
  bot = await app(github).getInstallationOctokit(github.install(["acme/widgets"]).installationId);
});

afterAll(() => started.stop());

const pull = (name: string, path?: string, text?: string) => openPull(ada, at, name, path, text);

describe("reviews", () => {
  const changed = () => {
    const text = lines(40).split("\n");
    text[19] = "line twenty";
    return text.join("\n");
  };

  it("place comments on lines of the diff, on either side", async () => {
    const { here } = await pull("place", "a.txt", changed());
    const { data } = await bot.rest.pulls.createReview({
      ...here,
      event: "COMMENT",
      body: "Seen.",
      comments: [
        { path: "a.txt", line: 20, side: "RIGHT", body: "new side" },
        { path: "a.txt", line: 20, side: "LEFT", body: "old side" },
        { path: "a.txt", start_line: 18, line: 20, body: "a range" },
      ],
    });
    expect(data.state).toBe("COMMENTED");
    const { data: comments } = await ada.rest.pulls.listReviewComments(here);
    expect(comments.map((one) => [one.side, one.start_line, one.line])).toEqual([
      ["RIGHT", null, 20],
      ["LEFT", null, 20],
      ["RIGHT", 18, 20],
    ]);
    expect(comments[0]?.diff_hunk.split("\n").at(-1)).toBe("+line twenty");
  });

  it("with one line outside the diff are refused as a whole", async () => {
    const { here } = await pull("outside", "a.txt", changed());
    const review = (comment: { path: string; line: number; start_line?: number }) =>
      refusal(
        bot.rest.pulls.createReview({
          ...here,
          event: "COMMENT",
          body: "x",
          comments: [
            { path: "a.txt", line: 20, body: "good" },
            { body: "bad", ...comment },
          ],
        }),
      );
    expect(await review({ path: "a.txt", line: 2 })).toEqual({
      status: 422,
      message: "Unprocessable Entity",
      errors: [
        "Pull request review thread line must be part of the diff and Pull request review thread diff hunk can't be blank",
      ],
    });
    expect(await review({ path: "a.txt", line: 2, start_line: 1 })).toMatchObject({
      errors: [
        "Pull request review thread line must be part of the diff, Pull request review thread start line must be part of the same hunk as the line., and Pull request review thread diff hunk can't be blank",
      ],
    });
    expect(await review({ path: "nope.txt", line: 1 })).toMatchObject({
      errors: [
        "Pull request review thread path is invalid and Pull request review thread diff hunk can't be blank",
      ],
    });
    expect((await ada.rest.pulls.listReviews(here)).data).toEqual([]);
  });

  it("stay pending, seen by their author alone, until submitted", async () => {
    const { here } = await pull("pending", "a.txt", changed());
    const comments = [{ path: "a.txt", line: 20, body: "soon" }];
    const { data } = await bot.rest.pulls.createReview({ ...here, body: "later", comments });
    expect([data.state, data.submitted_at]).toEqual(["PENDING", undefined]);
    expect((await ada.rest.pulls.listReviews(here)).data).toEqual([]);
    expect((await ada.rest.pulls.listReviewComments(here)).data).toEqual([]);
    expect(await refusal(bot.rest.pulls.createReview({ ...here, body: "second" }))).toMatchObject({
      errors: ["User can only have one pending review per pull request"],
    });
    await bot.rest.pulls.submitReview({ ...here, review_id: data.id, event: "COMMENT" });
    expect((await ada.rest.pulls.listReviews(here)).data.map((one) => one.body)).toEqual(["later"]);
    expect((await ada.rest.pulls.listReviewComments(here)).data).toHaveLength(1);
  });

  it("cannot approve one's own pull request, and need words", async () => {
    const { here } = await pull("own");
    expect(await refusal(ada.rest.pulls.createReview({ ...here, event: "APPROVE" }))).toMatchObject({
      errors: ["Can not approve your own pull request"],
    });
    expect(await refusal(bot.rest.pulls.createReview({ ...here, event: "COMMENT" }))).toMatchObject({
      status: 422,
    });
  });

  it("are answered in their thread", async () => {
    const { here } = await pull("thread", "a.txt", changed());
    const comments = [{ path: "a.txt", line: 20, body: "why?" }];
    await bot.rest.pulls.createReview({ ...here, event: "COMMENT", comments });
    const [first] = (await ada.rest.pulls.listReviewComments(here)).data;
    const answer = await ada.rest.pulls.createReplyForReviewComment({
      ...here,
      comment_id: first?.id ?? 0,
      body: "so",
    });
    expect([answer.data.in_reply_to_id, answer.data.line]).toEqual([first?.id, 20]);
  });
});

describe("check runs", () => {
  it("are written by Apps only", async () => {
    const { sha } = await pull("human-check");
    expect(await refusal(ada.rest.checks.create({ ...at, name: "x", head_sha: sha }))).toMatchObject({
      status: 403,
      message: "You must authenticate via a GitHub App.",
    });
  });

  it("complete with a conclusion, and show with their commit and pull request", async () => {
    const { sha, here } = await pull("checked");
    const { data: run } = await bot.rest.checks.create({
      ...at,
      name: "tests",
      head_sha: sha,
      status: "in_progress",
    });
    expect(run.pull_requests.map((one) => one.number)).toEqual([here.pull_number]);
    expect(
      await refusal(bot.rest.checks.update({ ...at, check_run_id: run.id, status: "completed" })),
    ).toMatchObject({
      status: 422,
    });
    const annotation = {
      path: "a",
      start_line: 1,
      end_line: 1,
      annotation_level: "notice",
      message: "m",
    } as const;
    for (const summary of ["first", "second"]) {
      const output = { title: "Tests", summary, annotations: [annotation] };
      await bot.rest.checks.update({ ...at, check_run_id: run.id, conclusion: "success", output });
    }
    const { data } = await ada.rest.checks.listForRef({ ...at, ref: "checked" });
    expect(data.check_runs.map((one) => [one.status, one.conclusion, one.output.summary])).toEqual([
      ["completed", "success", "second"],
    ]);
    expect(data.check_runs[0]?.output.annotations_count).toBe(2);
  });

  it("hold GitHub's limits", async () => {
    const { sha } = await pull("limits");
    const make = (length: number) =>
      bot.rest.checks.create({
        ...at,
        name: "x",
        head_sha: sha,
        output: { title: "t", summary: "s".repeat(length) },
      });
    await make(65_535);
    expect(await refusal(make(65_536))).toMatchObject({ status: 422 });
    expect(
      await refusal(bot.rest.checks.create({ ...at, name: "x", head_sha: "1".repeat(40) })),
    ).toMatchObject({
      status: 422,
    });
  });
});
