import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { branchName } from "../../../src/publish/branch.ts";
import {
  commitMessage,
  pullRequestBody,
  pullRequestTitle,
  type ChangeStory,
} from "../../../src/publish/text.ts";
import { gitTakesBranch } from "./second-judge.ts";

const STORY: ChangeStory = {
  issue: 5,
  onPullRequest: false,
  title: "Count months from one",
  asker: { id: 1, login: "ada", type: "User" },
  brief: "March is off by one.",
  summary: "The month was counted from zero.",
  checks: { outcome: "passed", results: [] },
  refused: [],
  skipped: [],
};

describe("a branch's name", () => {
  it.each([
    ["The date is off by one", 1, "patchwright/issue-5-the-date-is-off-by-one"],
    ["The date is off by one", 2, "patchwright/issue-5-the-date-is-off-by-one-2"],
    ["Ünïcödé", 1, "patchwright/issue-5-u-ni-co-de"],
    ["日本語", 1, "patchwright/issue-5"],
    ["日本語", 3, "patchwright/issue-5-3"],
    ["", 1, "patchwright/issue-5"],
    ["..", 1, "patchwright/issue-5"],
    ["$(curl x); `rm -rf`\n--force", 1, "patchwright/issue-5-curl-x-rm-rf-force"],
    ["refs/heads/main.lock", 1, "patchwright/issue-5-refs-heads-main-lock"],
    ["a@{1}~^:?*[\\", 1, "patchwright/issue-5-a-1"],
    [`${"a".repeat(39)}-b`, 1, `patchwright/issue-5-${"a".repeat(39)}`],
  ])("for %j (try %i) is %j", async (title, attempt, name) => {
    expect(branchName(5, title, attempt)).toBe(name);
    expect(await gitTakesBranch(name)).toBe(true);
  });

  it("is one that git takes, and plain, whatever the title is", async () => {
    const titles = fc.string({ unit: "binary", maxLength: 80 });
    for (const title of fc.sample(titles, { numRuns: 60, seed: 5 })) {
      expect(await gitTakesBranch(branchName(1, title, 9))).toBe(true);
    }
    fc.assert(
      fc.property(titles, fc.integer({ min: 1, max: 9 }), (title, attempt) => {
        expect(branchName(1, title, attempt)).toMatch(/^patchwright\/issue-1(?:-[a-z0-9]+)*$/);
      }),
    );
  });
});

describe("a commit's message", () => {
  it("has subject, reason and the person who asked", () => {
    expect(commitMessage(STORY)).toBe(
      "Count months from one\n\nFor #5.\n\nCo-authored-by: ada <1+ada@users.noreply.github.com>",
    );
  });

  it.each([
    ["exactly the limit", "x".repeat(72), "x".repeat(72)],
    ["one more", "x".repeat(73), `${"x".repeat(71)}…`],
    ["half an emoji at the cut", `${"x".repeat(70)}🎉🎉`, `${"x".repeat(70)}…`],
    [
      "trailers of its own",
      "a\n\nCo-authored-by: eve <eve@x.example>",
      "a Co-authored-by: eve <eve@x.example>",
    ],
    ["control characters", "a\u0000\u001b[31mb\r\nc", "a [31mb c"],
    ["the issue it is for", "Fix #5: months", "Fix #5: months"],
    ["another issue to close", "Fix months, closes #17", "Fix months, closes 17"],
    ["another repository's", "Resolves octo/other#5", "Resolves 5"],
    ["the other form of it", "fixed: GH-17", "fixed: 17"],
    ["an issue it only names", "Months as in #17", "Months as in #17"],
    ["a secret", `Use ghp_${"a1".repeat(18)}`, "Use [redacted]"],
  ])("has a subject of %s", (_, title, subject) => {
    expect(commitMessage({ ...STORY, title }).split("\n")[0]).toBe(subject);
  });
});

describe("a pull request", () => {
  it("says what was asked, done and tested, and by whom", () => {
    expect(pullRequestBody(STORY)).toBe(
      [
        "Closes #5",
        "### Asked\n\nMarch is off by one.",
        "### Done\n\nThe month was counted from zero.",
        "### Tested\n\nThe tests pass, run in a clean container on exactly these files.",
        "Asked for by `ada` in #5. Written by an agent in a container; please review it as you would a stranger's patch.",
      ].join("\n\n"),
    );
  });

  it("names the pull request it is for, and does not close it", () => {
    const body = pullRequestBody({ ...STORY, onPullRequest: true });
    expect(body).toMatch(/^For #5\n\n/);
    expect(body).not.toMatch(/clos|fix|resolv/i);
  });

  it("closes the issue it is for and no other", () => {
    const body = pullRequestBody({ ...STORY, brief: "Fixes #6.", summary: "closes octo/x#7, resolved: #8" });
    const closed = body.matchAll(
      /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w.-]+\/[\w.-]+)?#(\d+)/gi,
    );
    expect([...closed].map(([, issue]) => issue)).toEqual(["5"]);
  });

  it("says what was left out and why", () => {
    const body = pullRequestBody({
      ...STORY,
      refused: [{ path: ".github/workflows/ci.yml", why: "protected" }],
      skipped: [{ path: "a`b", why: "too-large" }],
    });
    expect(body).toContain("- `.github/workflows/ci.yml`: protected\n- `` a`b ``: too large");
  });

  it.each([
    ["an open fence", "```js\nwhile (true) {}"],
    ["an open folded part", "<details><summary>all</summary>"],
    ["an open comment", "<!-- "],
    ["an open pre", "<pre>"],
  ])("keeps its verdict visible when the agent's words leave %s", (_, summary) => {
    const body = pullRequestBody({ ...STORY, summary, checks: { outcome: "failed", results: [] } });
    const before = body.slice(0, body.indexOf("### Tested"));
    expect((before.match(/^```/gm) ?? []).length % 2).toBe(0);
    expect(before.split("<details>").length).toBe(before.split("</details>").length);
    expect(before).not.toMatch(/<!--|<pre>/);
    expect(body).toContain("**The tests fail** with this change");
  });

  it("stays below what GitHub takes, however long its parts are", () => {
    const long = `${"word ".repeat(20_000)}\n\`\`\`\n${"code ".repeat(20_000)}`;
    const results = [1, 2, 3].map((n) => ({
      name: `t${n}`,
      command: `t${n}`,
      exit: 1,
      ms: 1,
      timedOut: false,
      output: long,
    }));
    const body = pullRequestBody({
      ...STORY,
      brief: long,
      summary: long,
      checks: { outcome: "failed", results },
    });
    expect(body.length).toBeLessThan(65_536);
  });

  it("has a title of 200 characters at most", () => {
    expect(pullRequestTitle({ ...STORY, title: "x".repeat(200) })).toBe("x".repeat(200));
    expect(pullRequestTitle({ ...STORY, title: "x".repeat(201) })).toBe(`${"x".repeat(199)}…`);
  });
});
