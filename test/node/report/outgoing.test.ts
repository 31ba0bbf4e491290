import fc from "fast-check";
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, it } from "vitest";
import { marker } from "../../../src/report/status-comment.ts";
import { outgoing } from "../../../src/report/outgoing.ts";

/** What is read as text once the Markdown is rendered, as GitHub's mention filter sees it: not code, not links. */
function textsOf(node: Nodes): string[] {
  if (node.type === "link" || node.type === "linkReference") return [];
  if (node.type === "text" || node.type === "html") return [node.value];
  return "children" in node ? node.children.flatMap(textsOf) : [];
}

function rendered(markdown: string): string[] {
  return textsOf(fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }));
}

/** GitHub's own idea of a mention: an at sign behind a non-word character and before a login. */
const MENTION = /(?:^|[^A-Za-z0-9_])@[A-Za-z0-9]/;
const CLOSING = /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w.-]+\/[\w.-]+)?(?:#|GH-)\d/i;

const silent = (text: string) => {
  for (const each of rendered(outgoing(text))) {
    expect(each).not.toMatch(MENTION);
    expect(each).not.toMatch(CLOSING);
  }
};

describe("text on its way into a comment", () => {
  it.each([
    ["@ada did it"],
    ["cc @ada, @max-2 and @octo/team-x"],
    ["(@ada)"],
    ["**@ada**"],
    ["# @ada"],
    ["- @ada"],
    ["> @ada"],
    ["| @ada |\n|---|\n| @max |"],
    ["[^1]\n\n[^1]: @ada"],
    ["<b>@ada</b>"],
    ["<div>\n@ada\n</div>"],
    ["\\@ada"],
    ["\\\\@ada"],
    ["&#64;ada"],
    ["&#0064;ada"],
    ["&#x40;ada"],
    ["&#X0040;ada"],
    ["&commat;ada"],
    ["@&#97;da"],
    ["*a*@ada"],
    ["a stray ` and @ada"],
    ["`@ada"],
    ["``@ada`"],
    ["a ` b @ada c `` d"],
    ["x/a@b.example @ada"],
    ["'www.x.example @ada"],
    ["a@b.example, @ada"],
    ["fixes #12"],
    ["Closes: #12"],
    ["RESOLVED octo/hello#12"],
    ["fix GH-12"],
    ["closed\n#12"],
    ["/fix @other-bot run"],
    ["fixes www.x.example*@ada"],
    ["<!--_@ada_"],
  ])("mentions nobody and closes nothing: %j", (text) => {
    silent(text);
  });

  it.each([
    ["nothing to calm", "The retry delay is computed in `src/retry.ts:12`."],
    ["a code span", "Use `@Deprecated` and `fixes #12`."],
    ["a fence", "```ts\n@Injectable()\n// fixes #12 <!-- x -->\n```"],
    ["indented code", "a\n\n    @Injectable()"],
    ["an e-mail", "Write to ada@x.example."],
    ["a package's version", "It needs left-pad@1.3.0."],
    ["an issue that is only named", "See #12 and octo/hello#13."],
    ["a link", "[the code](https://x.example/a#L1) of `a`"],
    [
      "a link with an at sign",
      "https://x.example/@ada/1 <https://x.example/@ada> [@ada](https://x.example/@ada)",
    ],
    ["an image with one", "![by @ada](https://x.example/@2x.png)"],
    ["a definition with one", "[a]\n\n[a]: https://x.example/@ada"],
    ["HTML that is only layout", "<kbd>Ctrl</kbd><br>\n<sub>x</sub>"],
  ])("stays as it is: %s", (_, text) => {
    expect(outgoing(text)).toBe(text);
  });

  it("reads the same to a person", () => {
    const visible = rendered(outgoing("Ask @ada, who fixes #12.")).join("").replaceAll("\u200b", "");
    expect(visible).toBe("Ask @ada, who fixes #12.");
  });

  it("parts a closing word from a link behind it, which stays a link", () => {
    expect(outgoing("fixes https://github.example/o/r/issues/1")).toBe(
      "fixes&#8203; https://github.example/o/r/issues/1",
    );
    expect(outgoing("fixes [#1](https://x.example)")).toBe("fixes&#8203; [#1](https://x.example)");
  });

  it("mentions nobody, whatever it is made of", () => {
    const bits = fc.constantFrom(
      "@ada",
      "@",
      "ada",
      "`",
      "``",
      "\\",
      "&#64;",
      "&",
      "*",
      "_",
      "~~",
      "[",
      "](x)",
      "<b>",
      "</b>",
      "<!--",
      "-->",
      "\n",
      "\n\n",
      "> ",
      "- ",
      "    ",
      "```",
      "~~~",
      "|",
      "a",
      " ",
      "é",
      "a@b.example",
      "https://x.example/",
      "www.x.example",
      "fixes ",
      "#1",
      "<",
      ">",
      "!",
      "$",
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 12 }), (parts) => silent(parts.join(""))),
      { numRuns: 2_000, seed: 11 },
    );
  });

  it.each([
    ["plainly", marker("t", "r1")],
    ["as code", `\`${marker("t", "r1")}\``],
    ["in a fence", `\`\`\`\n${marker("t", "r1")}\n\`\`\``],
    ["in another case", marker("t", "r1").replace("patchwright", "PatchWright")],
    ["over lines", marker("t", "r1").replace(" patchwright", "\n\npatchwright")],
    ["in a text too tangled to parse", `${">".repeat(100)}\n${marker("t", "r1")}`],
  ])("cannot hold our marker: written %s", (_, text) => {
    expect(outgoing(text).toLowerCase()).not.toMatch(/<!--\s*patchwright/);
  });

  it.each([
    "<!-- hidden",
    "<!-- a --> b",
    "<?php",
    "<!DOCTYPE html>",
    "<![CDATA[",
    "<pre>\n\nx",
    "<script>",
    "</style>",
    "<TEXTAREA>",
  ])("cannot swallow or hide what stands behind it: %j", (text) => {
    const tree = fromMarkdown(`${outgoing(text)}\n\n## Ours`);
    expect(tree.children.at(-1)?.type).toBe("heading");
    expect(tree.children.some(({ type }) => type === "html")).toBe(false);
  });

  it.each([
    "```",
    "````\n```",
    "~~~\n```",
    "- ```\n  x",
    "a\n```js\nb",
    "<details><summary>a</summary>",
    "<details>\n\n```\n</details>",
  ])("closes what it opens: %j", (text) => {
    const closed = outgoing(text);
    const tree = fromMarkdown(`${closed}\n\n## Ours`);
    expect(tree.children.at(-1)?.type).toBe("heading");
    expect(tree.children.flatMap(countDetails).reduce((sum, each) => sum + each, 0)).toBe(0);
  });

  it("that a parser hates is shown as code, whole and inert", () => {
    const text = `@ada\n${"a\n=\n".repeat(10_000)}`;
    expect(outgoing(text)).toBe(`\`\`\`text\n${text}\n\`\`\``);
    silent(`${">".repeat(5_000)} @ada`);
  });

  it("carries no secret, not even as code", () => {
    const token = `ghs_${"aB3".repeat(12)}`;
    expect(outgoing(`\`${token}\` and ${token}`)).toBe("`[redacted]` and [redacted]");
  });
});

function countDetails(node: Nodes): number[] {
  if (node.type !== "html") return [];
  return [(node.value.match(/<details/g) ?? []).length - (node.value.match(/<\/details/g) ?? []).length];
}
