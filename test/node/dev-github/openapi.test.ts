import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Octokit } from "octokit";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { app, checked, person, receive, start } from "./local-github.ts";
import type { Receiver, Started } from "./local-github.ts";
import { problemsOf, problemsOfComponent } from "./openapi.ts";

// person() and app() throw on any answer that departs from the description: a call that resolves has been checked.
let started: Started;
let github: LocalGitHub;
let receiver: Receiver;
let ada: Octokit;
let bot: Octokit;
let installationId: number;
const at = { owner: "acme", repo: "widgets" };

beforeAll(async () => {
  started = await start();
  github = started.github;
  receiver = await receive();
  github.setWebhookUrl(receiver.url);
  const user = github.addUser("ada");
  await github.addRepository({
    owner: "acme",
    ownerType: "Organization",
    name: "widgets",
    private: true,
    files: { "README.md": "# Widgets\n", "src/a.ts": "export const a = 1;\nexport const b = 2;\n" },
  });
  github.setPermission("acme/widgets", "ada", "admin");
  installationId = github.install(["acme/widgets"]).installationId;
  ada = person(github, user.token);
  bot = await app(github).getInstallationOctokit(installationId);
});

afterAll(async () => {
  await receiver.stop();
  await started.stop();
});

describe("the checker itself", () => {
  it("finds a missing field, a wrong type and an undocumented status", () => {
    expect(problemsOfComponent("git-ref", { ref: "refs/heads/main", node_id: "x", url: "u" })).toEqual([
      "git-ref.object is missing",
    ]);
    expect(
      problemsOfComponent("reaction", {
        id: "1",
        node_id: "x",
        user: null,
        content: "eyes",
        created_at: "2026-01-01T00:00:00Z",
      }),
    ).toHaveLength(1);
    expect(problemsOf("GET", "/zen", 418, null)).toEqual(["GET /zen does not document 418"]);
  });

  it("is run on octokit's answers, with the template of the endpoint", async () => {
    await expect(ada.request("GET /repos/{owner}/{repo}/nowhere", at)).rejects.toThrow("Not Found");
    await expect(ada.request("GET /app", at)).rejects.toThrow("JSON web token");
    await expect(ada.request("GET /versions")).resolves.toMatchObject({ status: 200 });
    await expect(ada.request("GET /orgs/{org}", { org: "acme" })).rejects.toThrow("Not Found");
  });
});

describe("answers have the shape GitHub describes", () => {
  it("for the App, its installations, tokens and deliveries", async () => {
    const self = app(github).octokit;
    await self.rest.apps.getAuthenticated();
    await self.rest.apps.listInstallations();
    await self.rest.apps.getInstallation({ installation_id: installationId });
    await self.rest.apps.getRepoInstallation(at);
    await self.rest.apps.getOrgInstallation({ org: "acme" });
    const minted = await self.rest.apps.createInstallationAccessToken({
      installation_id: installationId,
      repositories: ["widgets"],
      permissions: { issues: "write" },
    });
    expect(minted.status).toBe(201);
    await bot.rest.apps.listReposAccessibleToInstallation();
    await ada.rest.issues.create({ ...at, title: "makes a delivery" });
    await github.idle();
    const list = await self.rest.apps.listWebhookDeliveries();
    const id = list.data[0]?.id ?? 0;
    await self.rest.apps.getWebhookDelivery({ delivery_id: id });
    await self.rest.apps.redeliverWebhookDelivery({ delivery_id: id });
    await self.rest.apps.getWebhookConfigForApp();
    await github.idle();
    expect(checked).toContain("POST /app/hook/deliveries/{delivery_id}/attempts");
  });

  it("for repositories and people", async () => {
    await ada.rest.repos.get(at);
    await ada.rest.repos.listBranches(at);
    await ada.rest.repos.getBranch({ ...at, branch: "main" });
    await ada.rest.repos.getCollaboratorPermissionLevel({ ...at, username: "ada" });
    await ada.rest.repos.listCollaborators(at);
    await ada.rest.repos.getAllTopics(at);
    await ada.rest.users.getAuthenticated();
    await ada.rest.users.getByUsername({ username: "patchwright[bot]" });
    await ada.rest.rateLimit.get();
    await ada.rest.meta.root();
    await ada.rest.apps.getBySlug({ app_slug: "patchwright" });
    expect(checked).toContain("GET /repos/{owner}/{repo}/collaborators/{username}/permission");
  });

  it("for issues, comments, labels and reactions", async () => {
    const { data: issue } = await ada.rest.issues.create({
      ...at,
      title: "One",
      labels: ["bug"],
      assignees: ["ada"],
    });
    const here = { ...at, issue_number: issue.number };
    await ada.rest.issues.get(here);
    await ada.rest.issues.update({ ...here, body: "text" });
    await ada.rest.issues.listForRepo({ ...at, state: "all" });
    const { data: comment } = await bot.rest.issues.createComment({ ...here, body: "hello" });
    await bot.rest.issues.getComment({ ...at, comment_id: comment.id });
    await bot.rest.issues.updateComment({ ...at, comment_id: comment.id, body: "hello again" });
    await bot.rest.issues.listComments(here);
    await bot.rest.issues.listCommentsForRepo(at);
    await bot.rest.reactions.createForIssueComment({ ...at, comment_id: comment.id, content: "eyes" });
    await bot.rest.reactions.listForIssueComment({ ...at, comment_id: comment.id });
    await bot.rest.reactions.createForIssue({ ...here, content: "rocket" });
    await ada.rest.issues.addLabels({ ...here, labels: ["fix me"] });
    await ada.rest.issues.listLabelsOnIssue(here);
    await ada.rest.issues.setLabels({ ...here, labels: ["question"] });
    await ada.rest.issues.removeLabel({ ...here, name: "question" });
    await ada.rest.issues.createLabel({ ...at, name: "new", color: "ff0000" });
    await ada.rest.issues.getLabel({ ...at, name: "new" });
    await ada.rest.issues.listLabelsForRepo(at);
    await ada.rest.issues.addAssignees({ ...here, assignees: ["ada"] });
    await ada.rest.issues.listEvents(here);
    await ada.rest.issues.lock({ ...here, lock_reason: "resolved" });
    await bot.rest.issues.deleteComment({ ...at, comment_id: comment.id });
    await ada.rest.search.issuesAndPullRequests({ q: "repo:acme/widgets is:issue One" });
    expect(checked).toContain("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions");
  });

  it("for files, git objects, refs and commits", async () => {
    await bot.rest.repos.getContent({ ...at, path: "src/a.ts" });
    await bot.rest.repos.getContent({ ...at, path: "src" });
    await bot.rest.repos.getReadme(at);
    await ada.rest.repos.createOrUpdateFileContents({
      ...at,
      path: "new.txt",
      message: "Add",
      content: "bmV3Cg==",
    });
    const { data: ref } = await bot.rest.git.getRef({ ...at, ref: "heads/main" });
    const { data: commit } = await bot.rest.git.getCommit({ ...at, commit_sha: ref.object.sha });
    const { data: tree } = await bot.rest.git.getTree({ ...at, tree_sha: commit.tree.sha, recursive: "1" });
    await bot.rest.git.getBlob({ ...at, file_sha: tree.tree.find((e) => e.type === "blob")?.sha ?? "" });
    const { data: blob } = await bot.rest.git.createBlob({ ...at, content: "x" });
    const made = await bot.rest.git.createTree({
      ...at,
      base_tree: commit.tree.sha,
      tree: [{ path: "x.txt", mode: "100644", type: "blob", sha: blob.sha }],
    });
    const next = await bot.rest.git.createCommit({
      ...at,
      message: "Add x",
      tree: made.data.sha,
      parents: [ref.object.sha],
    });
    await bot.rest.git.createRef({ ...at, ref: "refs/heads/x", sha: next.data.sha });
    await bot.rest.git.updateRef({ ...at, ref: "heads/x", sha: next.data.sha });
    await bot.rest.git.listMatchingRefs({ ...at, ref: "heads/" });
    await bot.rest.repos.listCommits(at);
    await bot.rest.repos.getCommit({ ...at, ref: "x" });
    await bot.rest.repos.compareCommitsWithBasehead({ ...at, basehead: "main...x" });
    await ada.rest.repos.createCommitStatus({ ...at, sha: next.data.sha, state: "success" });
    await ada.rest.repos.getCombinedStatusForRef({ ...at, ref: "x" });
    await ada.rest.repos.listCommitStatusesForRef({ ...at, ref: "x" });
    await ada.rest.search.code({ q: "repo:acme/widgets export" });
    expect(checked).toContain("POST /repos/{owner}/{repo}/git/commits");
  });

  it("for pull requests, reviews and checks", async () => {
    const { data: pull } = await bot.rest.pulls.create({ ...at, head: "x", base: "main", title: "Add x" });
    const here = { ...at, pull_number: pull.number };
    await bot.rest.pulls.get(here);
    await bot.rest.pulls.list(at);
    await bot.rest.pulls.listFiles(here);
    await bot.rest.pulls.listCommits(here);
    await bot.rest.pulls.update({ ...here, body: "text" });
    await ada.rest.pulls.requestReviewers({ ...here, reviewers: ["ada"] });
    await ada.rest.pulls.listRequestedReviewers(here);
    const { data: review } = await ada.rest.pulls.createReview({
      ...here,
      event: "REQUEST_CHANGES",
      body: "please",
      comments: [{ path: "x.txt", line: 1, body: "this" }],
    });
    await ada.rest.pulls.getReview({ ...here, review_id: review.id });
    await ada.rest.pulls.listReviews(here);
    await ada.rest.pulls.listCommentsForReview({ ...here, review_id: review.id });
    const { data: comments } = await ada.rest.pulls.listReviewComments(here);
    const comment = comments[0]?.id ?? 0;
    await bot.rest.pulls.createReplyForReviewComment({ ...here, comment_id: comment, body: "done" });
    await ada.rest.pulls.getReviewComment({ ...at, comment_id: comment });
    await ada.rest.pulls.updateReviewComment({ ...at, comment_id: comment, body: "that" });
    await bot.rest.reactions.createForPullRequestReviewComment({ ...at, comment_id: comment, content: "+1" });
    await ada.rest.pulls.dismissReview({ ...here, review_id: review.id, message: "fine" });
    const { data: run } = await bot.rest.checks.create({ ...at, name: "tests", head_sha: pull.head.sha });
    await bot.rest.checks.update({ ...at, check_run_id: run.id, status: "completed", conclusion: "success" });
    await bot.rest.checks.get({ ...at, check_run_id: run.id });
    await bot.rest.checks.listForRef({ ...at, ref: "x" });
    await bot.rest.checks.listSuitesForRef({ ...at, ref: "x" });
    await bot.rest.checks.listAnnotations({ ...at, check_run_id: run.id });
    await ada.rest.pulls.merge(here);
    expect(checked).toContain("PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge");
  });
});
