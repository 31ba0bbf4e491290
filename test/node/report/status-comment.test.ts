import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";
import type { FailureWhy } from "../../../src/domain/request.ts";
import { failureText } from "../../../src/report/failure-text.ts";
import { helpText } from "../../../src/report/help.ts";
import { cutMarkdown, marker, statusComment, type StatusView } from "../../../src/report/status-comment.ts";

const VIEW: StatusView = { task: "github.example:42:5", request: "r1", notes: [] };
const MARKER = "<!-- patchwright task=github.example:42:5 request=r1 -->";
const PROPOSAL = { title: "Count months from <one>", brief: "March is off by one, says @ada." };

const said = (view: Partial<StatusView>) => statusComment({ ...VIEW, ...view });

describe("the status comment", () => {
  it("says that work began", () => {
    expect(said({})).toBe(`**Working on it**.\n\n${MARKER}`);
  });

  it("says what is being done, and what was proposed", () => {
    expect(said({ doing: "writing the change", proposal: PROPOSAL })).toBe(
      [
        "**Working on it**: writing the change.",
        "<details><summary>Change: <code>Count months from &lt;one&gt;</code></summary>",
        "March is off by one, says @&#8203;ada.",
        "</details>",
        MARKER,
      ].join("\n\n"),
    );
  });

  it("is the answer, and what was looked at for it", () => {
    const end = { state: "answered", text: "In `a.ts`.", looked: ['readFile({"path":"a`b.ts"})'] } as const;
    expect(said({ doing: "reading", end })).toBe(
      [
        "In `a.ts`.",
        '<details><summary>What I looked at</summary>\n\n- `` readFile({"path":"a`b.ts"}) ``\n\n</details>',
        MARKER,
      ].join("\n\n"),
    );
  });

  it("names the pull request, its state, its files and what was left out", () => {
    const end = {
      state: "opened",
      pullRequest: { number: 6, url: "https://github.example/octo/hello/pull/6" },
      draft: true,
      verdict: "**The tests fail** with this change.",
      files: ["a.ts", "b`.ts"],
      leftOut: 2,
      summary: "Done.",
    } as const;
    expect(said({ end })).toBe(
      [
        "**Opened a draft, #6**. **The tests fail** with this change.",
        "Done.",
        "<details><summary>Files</summary>\n\n- `a.ts`\n- `` b`.ts ``\n\n</details>",
        "2 more files were left out; the pull request says which and why.",
        MARKER,
      ].join("\n\n"),
    );
    expect(said({ end: { ...end, draft: false, leftOut: 0 } })).toContain("**Opened #6**.");
  });

  it("says why it failed, what to do, and the details as code", () => {
    const end = { state: "failed", why: "agent-failed", detail: "```\n@ada </details>" } as const;
    expect(said({ end })).toBe(
      [
        "**Not done.** The agent ended with an error. Nothing was published.",
        "Mention me again to retry.",
        "<details><summary>Details</summary>\n\n````text\n```\n@ada </details>\n````\n\n</details>",
        MARKER,
      ].join("\n\n"),
    );
  });

  it("keeps its notes to its end", () => {
    const note = "> [!WARNING]\n> the config cannot be used";
    expect(said({ notes: [note], end: { state: "answered", text: "Yes.", looked: [] } })).toBe(
      `Yes.\n\n${note}\n\n${MARKER}`,
    );
  });

  it("has one marker, its own, whatever the model writes", () => {
    const text = `${marker("github.example:42:5", "r2")} \`${marker("github.example:42:5", "r3")}\``;
    const comment = said({ end: { state: "answered", text, looked: [marker("x", "r4")] } });
    expect(comment.endsWith(MARKER)).toBe(true);
    expect(comment).not.toContain(marker("github.example:42:5", "r2"));
    expect(comment).not.toContain(marker("github.example:42:5", "r3"));
  });

  it("lets no secret through in any of its parts", () => {
    const secret = `ghp_${"x1".repeat(20)}`;
    const ends: StatusView["end"][] = [
      { state: "answered", text: secret, looked: [secret] },
      { state: "failed", why: "agent-failed", detail: secret },
    ];
    for (const end of ends) {
      const view = { proposal: { title: secret, brief: secret }, ...(end && { end }) };
      expect(said(view)).not.toContain(secret);
    }
  });
});

describe("a comment that is too long", () => {
  const MOST = 60_000;
  const answered = (text: string) => said({ end: { state: "answered", text, looked: [] } });
  const tail = `\n\n${MARKER}`;

  it("is one of more than 60,000 characters, and not one of exactly as many", () => {
    const fits = "x".repeat(MOST - tail.length);
    expect(answered(fits)).toBe(fits + tail);
    expect(answered(`${fits}x`)).toContain("*[cut:");
  });

  it.each([
    ["one line", "x".repeat(70_000)],
    ["many lines", "word word word\n".repeat(5_000)],
    ["an open fence", `a\n\`\`\`ts\n${"const a = 1;\n".repeat(6_000)}`],
    ["a fence that holds fences", `\`\`\`\`md\n${"```\na\n".repeat(12_000)}`],
    ["a fence of tildes", `~~~\n${"a\n".repeat(40_000)}`],
    ["a fence in a list", `- a\n  \`\`\`\n${"  x\n".repeat(20_000)}`],
    ["open folded parts", `${"<details><summary>a</summary>\n\n".repeat(30)}${"a word\n\n".repeat(9_000)}`],
    ["a fence in a folded part", `<details>\n\n\`\`\`\n${"</details>\n".repeat(8_000)}`],
    ["emoji", "🎉".repeat(40_000)],
    ["what a parser hates", "a\n=\n".repeat(20_000)],
  ])("is cut, closed and signed: %s", (_, text) => {
    const comment = answered(text);
    expect(comment.length).toBeLessThanOrEqual(MOST);
    expect(comment.isWellFormed()).toBe(true);
    expect(comment.endsWith(`*[cut: this was longer than a GitHub comment may be]*${tail}`)).toBe(true);
    expect(fromMarkdown(comment).children.at(-1)?.type).toBe("html");
  });

  it("is cut at a line's end, where there is one", () => {
    const cut = cutMarkdown("0123456789\n".repeat(100), 500);
    expect(
      cut
        .split("\n\n")[0]
        ?.split("\n")
        .every((line) => line === "0123456789"),
    ).toBe(true);
  });

  it.each([0, 1, 60, 100])("fits into %i characters, too", (most) => {
    expect(cutMarkdown("<details>".repeat(100), most).length).toBeLessThanOrEqual(most);
  });
});

describe("why a request failed", () => {
  // Typed over every reason: one that is new is missing here until it is listed.
  const whys: Record<FailureWhy, true> = {
    "repository-empty": true,
    "repository-gone": true,
    "repository-archived": true,
    "github-forbidden": true,
    "github-refused": true,
    "permission-lost": true,
    "github-unavailable": true,
    "model-overloaded": true,
    "model-unavailable": true,
    "model-rejected-key": true,
    "model-rejected-request": true,
    "answer-turn-limit": true,
    "answer-empty": true,
    "answer-cut-off": true,
    "container-unavailable": true,
    "container-lost": true,
    "checkout-failed": true,
    "agent-failed": true,
    "agent-timed-out": true,
    "agent-changed-nothing": true,
    "export-failed": true,
    "nothing-publishable": true,
    "branch-taken": true,
    "pull-request-closed": true,
    "publish-refused": true,
    internal: true,
  };

  it.each(Object.keys(whys) as FailureWhy[])("%s is said in sentences, with a next step", (why) => {
    const { what, next } = failureText(why);
    for (const text of [what, next]) expect(text).toMatch(/^[A-Z].{15,}\.$/);
    expect(next).toMatch(
      /\b(?:mention|push|check|unarchive|accept|try|ask|question|detail|task|below|delete|log)\b/i,
    );
    expect(statusComment({ ...VIEW, end: { state: "failed", why } })).toContain(`${what}\n\n${next}`);
  });
});

describe("help", () => {
  it("shows how to ask, as code, so that it summons nobody", () => {
    expect(helpText("my-app").replaceAll(/`[^`]*`/g, "")).not.toContain("@");
    expect(helpText("my-app")).toContain("`@my-app ");
  });
});
