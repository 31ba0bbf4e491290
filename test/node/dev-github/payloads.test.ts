import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { app, person, receive, start } from "./local-github.ts";
import type { Receiver, Started } from "./local-github.ts";

const Payload = z.record(z.string(), z.unknown());
type Payload = z.infer<typeof Payload>;
const examples = z
  .array(z.object({ name: z.string(), examples: z.array(Payload) }))
  .parse(createRequire(import.meta.url)("@octokit/webhooks-examples/api.github.com/index.json"));

/** What examples of other times and features carry, and nobody could read from a server without those. */
const NOT_HERE: Record<string, readonly string[]> = {
  check_run: ["deployment"],
  issues: ["draft"],
};

let started: Started;
let github: LocalGitHub;
let receiver: Receiver;

/** Everything our App may hear of, once. */
beforeAll(async () => {
  started = await start();
  github = started.github;
  receiver = await receive();
  github.setWebhookUrl(receiver.url);
  const ada = person(github, github.addUser("ada").token);
  for (const name of ["widgets", "second"]) {
    await github.addRepository({
      owner: "acme",
      ownerType: "Organization",
      name,
      files: { "a.txt": "one\n" },
    });
  }
  github.setPermission("acme/widgets", "ada", "admin");
  const { installationId } = github.install(["acme/widgets"]);
  github.install(["acme/second"]);
  const bot = await app(github).getInstallationOctokit(installationId);
  const at = { owner: "acme", repo: "widgets" };
  await ada.rest.issues.create({ ...at, title: "One" });
  await ada.rest.issues.addLabels({ ...at, issue_number: 1, labels: ["made up"] });
  await bot.rest.issues.createComment({ ...at, issue_number: 1, body: "text" });
  const { data: main } = await ada.rest.git.getRef({ ...at, ref: "heads/main" });
  await ada.rest.git.createRef({ ...at, ref: "refs/heads/topic", sha: main.object.sha });
  const file = { path: "b.txt", message: "Add b", content: "Ygo=" };
  await ada.rest.repos.createOrUpdateFileContents({ ...at, branch: "topic", ...file });
  const { data: pull } = await ada.rest.pulls.create({ ...at, head: "topic", base: "main", title: "Two" });
  const comments = [{ path: "b.txt", line: 1, body: "this" }];
  const review = { ...at, pull_number: pull.number, event: "COMMENT" as const, body: "hm", comments };
  await bot.rest.pulls.createReview(review);
  await bot.rest.checks.create({ ...at, name: "t", head_sha: pull.head.sha });
  await ada.rest.git.deleteRef({ ...at, ref: "heads/topic" });
  await ada.rest.repos.update({ ...at, name: "renamed" });
  await github.idle();
});

afterAll(async () => {
  await receiver.stop();
  await started.stop();
});

/** Keys that each of GitHub's examples of the event has. */
function commonKeys(event: string, action: string | null, of: (example: Payload) => object): string[] {
  const theirs = examples
    .filter((one) => one.name === event)
    .flatMap((one) => one.examples)
    .filter((example) => action === null || example["action"] === action);
  const [first, ...others] = theirs.map((example) => Object.keys(of(example)));
  return (first ?? []).filter((key) => others.every((keys) => keys.includes(key)));
}

describe("a payload has the fields of GitHub's examples:", () => {
  it.each([
    ["issues", "opened", "issue"],
    ["issue_comment", "created", "comment"],
    ["pull_request", "opened", "pull_request"],
    ["pull_request_review", "submitted", "review"],
    ["pull_request_review_comment", "created", "comment"],
    ["check_run", "created", "check_run"],
    ["check_suite", "requested", "check_suite"],
    ["label", "created", "label"],
    ["push", null, "repository"],
    ["create", null, "repository"],
    ["delete", null, "repository"],
    ["installation", "created", "installation"],
    ["installation_repositories", "added", "installation"],
    ["repository", "renamed", "repository"],
  ])("%s.%s", (event, action, main) => {
    const ours = github.deliveries().find((one) => one.event === event && one.action === action);
    const payload = Payload.parse(ours?.payload);
    const outer = commonKeys(event, action, (example) => example);
    expect(outer).toContain("sender");
    expect(Object.keys(payload)).toEqual(expect.arrayContaining([...outer, "installation"]));
    const inner = commonKeys(event, action, (example) => Payload.parse(example[main]));
    const known = inner.filter((key) => NOT_HERE[event]?.includes(key) !== true);
    expect(known.length).toBeGreaterThan(5);
    expect(Object.keys(Payload.parse(payload[main]))).toEqual(expect.arrayContaining(known));
  });
});
