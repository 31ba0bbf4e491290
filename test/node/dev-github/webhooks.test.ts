import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Octokit } from "octokit";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { app, startWithReceiver } from "./local-github.ts";

let started: Awaited<ReturnType<typeof startWithReceiver>>;
let github: LocalGitHub;
let ada: Octokit;
let bot: Octokit;
const at = { owner: "acme", repo: "widgets" };

beforeAll(async () => {
  started = await startWithReceiver();
  ({ github, ada } = started);
  bot = await app(github).getInstallationOctokit(started.installationId);
});

afterAll(() => started.stop());

/** What `act` made the server send, as "event.action". */
async function sentBy(act: () => Promise<unknown>): Promise<string[]> {
  await github.idle();
  const before = github.deliveries().length;
  await act();
  await github.idle();
  return github
    .deliveries()
    .slice(before)
    .map((one) => (one.action === null ? one.event : `${one.event}.${one.action}`));
}

const world = (path: string, body: object) =>
  fetch(`${github.url}/_world/${path}`, { method: "POST", body: JSON.stringify(body) });

async function branch(name: string, text = "three\n"): Promise<void> {
  const { data } = await ada.rest.git.getRef({ ...at, ref: "heads/main" });
  await ada.rest.git.createRef({ ...at, ref: `refs/heads/${name}`, sha: data.object.sha });
  await write(name, `${name}.txt`, text);
}

async function write(branchName: string, path: string, text: string): Promise<void> {
  const content = Buffer.from(text).toString("base64");
  await ada.rest.repos.createOrUpdateFileContents({
    ...at,
    branch: branchName,
    path,
    message: "Write",
    content,
  });
}

describe("acts and what the App hears of them", () => {
  it("issues", async () => {
    const open = () => ada.rest.issues.create({ ...at, title: "One", labels: ["bug"], assignees: ["ada"] });
    expect(await sentBy(open)).toEqual(["issues.opened", "issues.labeled", "issues.assigned"]);
    const number = (await github.state("acme/widgets")).issues.at(-1)?.number ?? 0;
    const here = { ...at, issue_number: number };
    const update = (change: object) => sentBy(() => ada.rest.issues.update({ ...here, ...change }));
    expect(await update({ title: "Two" })).toEqual(["issues.edited"]);
    expect(await update({ title: "Two" })).toEqual([]);
    expect(await update({ state: "closed" })).toEqual(["issues.closed"]);
    expect(await update({ state: "open" })).toEqual(["issues.reopened"]);
    expect(await update({ labels: [] })).toEqual(["issues.unlabeled"]);
    expect(await update({ assignees: [] })).toEqual(["issues.unassigned"]);
    expect(await sentBy(() => ada.rest.issues.addLabels({ ...here, labels: ["made up"] }))).toEqual([
      "label.created",
      "issues.labeled",
    ]);
    expect(await sentBy(() => world(`acts/acme/widgets/delete-issue/${number}`, { login: "ada" }))).toEqual([
      "issues.deleted",
    ]);
  });

  it("a ping, asked for through the control API", async () => {
    expect(await sentBy(() => world("ping", {}))).toEqual(["ping"]);
  });

  it("tags", async () => {
    const { data } = await ada.rest.git.getRef({ ...at, ref: "heads/main" });
    const tag = { ...at, ref: "refs/tags/v1", sha: data.object.sha };
    expect(await sentBy(() => ada.rest.git.createRef(tag))).toEqual(["create", "push"]);
    expect(await sentBy(() => ada.rest.git.deleteRef({ ...at, ref: "tags/v1" }))).toEqual(["delete", "push"]);
  });

  it("comments, also the App's own, with the bot as sender", async () => {
    const { data: issue } = await ada.rest.issues.create({ ...at, title: "Talked about" });
    const here = { ...at, issue_number: issue.number };
    let id = 0;
    const create = async () => {
      id = (await bot.rest.issues.createComment({ ...here, body: "mine" })).data.id;
    };
    expect(await sentBy(create)).toEqual(["issue_comment.created"]);
    expect(github.deliveries().at(-1)?.payload).toMatchObject({
      comment: { performed_via_github_app: { slug: "patchwright" } },
      sender: { login: "patchwright[bot]", type: "Bot" },
    });
    const edit = () => bot.rest.issues.updateComment({ ...at, comment_id: id, body: "changed" });
    expect(await sentBy(edit)).toEqual(["issue_comment.edited"]);
    expect(github.deliveries().at(-1)?.payload).toMatchObject({ changes: { body: { from: "mine" } } });
    expect(await sentBy(() => bot.rest.issues.deleteComment({ ...at, comment_id: id }))).toEqual([
      "issue_comment.deleted",
    ]);
    expect(await sentBy(() => bot.rest.reactions.createForIssue({ ...here, content: "eyes" }))).toEqual([]);
  });

  it("branches and pull requests", async () => {
    expect(await sentBy(() => branch("topic"))).toEqual([
      "create",
      "push",
      "check_suite.requested",
      "push",
      "check_suite.requested",
    ]);
    let number = 0;
    const open = async () => {
      number = (await ada.rest.pulls.create({ ...at, head: "topic", base: "main", title: "Topic" })).data
        .number;
    };
    expect(await sentBy(open)).toEqual(["pull_request.opened"]);
    const here = { ...at, pull_number: number };
    expect(await sentBy(() => write("topic", "more.txt", "more\n"))).toEqual([
      "push",
      "pull_request.synchronize",
      "check_suite.requested",
    ]);
    expect(
      await sentBy(() => ada.rest.issues.addLabels({ ...at, issue_number: number, labels: ["bug"] })),
    ).toEqual(["pull_request.labeled"]);
    const review = {
      ...here,
      event: "COMMENT" as const,
      body: "hm",
      comments: [{ path: "topic.txt", line: 1, body: "this" }],
    };
    expect(await sentBy(() => bot.rest.pulls.createReview(review))).toEqual([
      "pull_request_review.submitted",
      "pull_request_review_comment.created",
    ]);
    expect(await sentBy(() => ada.rest.pulls.merge(here))).toEqual([
      "pull_request.closed",
      "push",
      "check_suite.requested",
    ]);
    expect(await sentBy(() => ada.rest.git.deleteRef({ ...at, ref: "heads/topic" }))).toEqual([
      "delete",
      "push",
    ]);
  });

  it("changes of reviews and their comments", async () => {
    await branch("reviewed");
    const { data: pull } = await bot.rest.pulls.create({ ...at, head: "reviewed", base: "main", title: "R" });
    const here = { ...at, pull_number: pull.number };
    const comments = [{ path: "reviewed.txt", line: 1, body: "no" }];
    const order = { ...here, event: "REQUEST_CHANGES" as const, body: "change", comments };
    const { data: review } = await ada.rest.pulls.createReview(order);
    const id = (await ada.rest.pulls.listReviewComments(here)).data[0]?.id ?? 0;
    const one = { ...here, review_id: review.id };
    expect(await sentBy(() => ada.rest.pulls.updateReview({ ...one, body: "changed" }))).toEqual([
      "pull_request_review.edited",
    ]);
    expect(await sentBy(() => ada.rest.pulls.dismissReview({ ...one, message: "fine" }))).toEqual([
      "pull_request_review.dismissed",
    ]);
    const comment = { ...at, comment_id: id };
    expect(await sentBy(() => ada.rest.pulls.updateReviewComment({ ...comment, body: "yes" }))).toEqual([
      "pull_request_review_comment.edited",
    ]);
    expect(await sentBy(() => ada.rest.pulls.deleteReviewComment(comment))).toEqual([
      "pull_request_review_comment.deleted",
    ]);
    expect(await sentBy(() => ada.rest.pulls.update({ ...here, state: "closed" }))).toEqual([
      "pull_request.closed",
    ]);
  });

  it("draft and ready, asked for through the control API", async () => {
    await branch("draft");
    const { data } = await ada.rest.pulls.create({
      ...at,
      head: "draft",
      base: "main",
      title: "D",
      draft: true,
    });
    const ready = () => world(`acts/acme/widgets/ready/${data.number}`, { login: "ada" });
    expect(await sentBy(ready)).toEqual(["pull_request.ready_for_review"]);
  });

  it("check runs and the buttons people press", async () => {
    const { data: ref } = await ada.rest.git.getRef({ ...at, ref: "heads/draft" });
    let id = 0;
    const create = async () => {
      const order = { ...at, name: "t", head_sha: ref.object.sha };
      id = (
        await bot.rest.checks.create({
          ...order,
          actions: [{ label: "Fix", description: "d", identifier: "fix" }],
        })
      ).data.id;
    };
    expect(await sentBy(create)).toEqual(["check_run.created"]);
    const finish = () => bot.rest.checks.update({ ...at, check_run_id: id, conclusion: "failure" });
    expect(await sentBy(finish)).toEqual(["check_run.completed", "check_suite.completed"]);
    expect(await sentBy(() => ada.rest.checks.rerequestRun({ ...at, check_run_id: id }))).toEqual([
      "check_run.rerequested",
    ]);
    const press = () => world(`acts/acme/widgets/request-action/${id}`, { login: "ada", identifier: "fix" });
    expect(await sentBy(press)).toEqual(["check_run.requested_action"]);
  });

  it("repositories and installations", async () => {
    const rename = () => ada.rest.repos.update({ ...at, name: "renamed" });
    expect(await sentBy(rename)).toEqual(["repository.renamed"]);
    await ada.rest.repos.update({ ...at, repo: "renamed", name: "widgets" });
    await github.addRepository({ owner: "acme", name: "second", files: {} });
    expect(await sentBy(async () => github.install(["acme/second"]))).toEqual([
      "installation_repositories.added",
    ]);
  });

  it("of repositories without the App are not sent", async () => {
    await github.addRepository({ owner: "else", name: "where", files: {} });
    expect(await sentBy(() => ada.rest.issues.create({ owner: "else", repo: "where", title: "x" }))).toEqual(
      [],
    );
  });
});
