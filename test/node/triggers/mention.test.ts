import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instructionIn } from "../../../src/triggers/mention.ts";

const said = (text: string) => instructionIn(text, "patchwright");

describe("a mention", () => {
  it.each([
    ["@patchwright why?", "why?"],
    ["@patchwright: why?", "why?"],
    ["@patchwright, why?", "why?"],
    ["@Patchwright why?", "why?"],
    ["@PATCHWRIGHT why?", "why?"],
    ["@patchwright[bot] why?", "why?"],
    ["why, @patchwright?", "why, ?"],
    ["(@patchwright) why?", "() why?"],
    ["@patchwright! why?", "why?"],
    ["why @patchwright.", "why ."],
    ["why\n@patchwright", "why"],
    ["@patchwright\n\nwhy?", "why?"],
    ["@patchwright's turn", "'s turn"],
    ["@patchwright… why?", "… why?"],
    ["@patchwright— why?", "— why?"],
    ["é@patchwright why?", "é why?"],
    ["修正して@patchwright、お願い", "修正して、お願い"],
    ["👋@patchwright👋", "👋👋"],
    ["@ada @patchwright why?", "@ada  why?"],
    ["@patchwright and @patchwright again", "and  again"],
    ["\\@patchwright why?", "\\ why?"],
  ])("is in %j, and %j is asked", (text, asked) => {
    expect(said(text)).toBe(asked);
  });

  it.each([
    ["**@patchwright** why?"],
    ["*@patchwright* why?"],
    ["~~@patchwright~~ why?"],
    ["# @patchwright why?"],
    ["- @patchwright why?"],
    ["1. one\n2. @patchwright two"],
    ["- [ ] @patchwright a task"],
    ["| a |\n|---|\n| @patchwright |"],
    ["a title\n===\n@patchwright"],
    ["> what you wrote\n\n@patchwright why?"],
    ["`code` @patchwright `more`"],
    ["an ` unclosed tick @patchwright"],
    ["```\nlog\n```\n@patchwright why?"],
    ["see https://x.example/a @patchwright"],
    ["mail me at a@b.example, @patchwright"],
    ["x/a@b.example @patchwright"],
    ["'www.x.example @patchwright"],
    ["<b>@patchwright</b>"],
    ["text\n    @patchwright is a lazy line, not code"],
    [`${"a long log line of no interest\n".repeat(2_000)}\n@patchwright why?`],
  ])("is where GitHub would render one: %j", (text) => {
    expect(said(text)).toBeDefined();
  });

  it.each([
    ["@patchwright-helper why?"],
    ["@patchwright--why"],
    ["@patchwright_x why?"],
    ["@patchwright2 why?"],
    ["@patchwrigh why?"],
    ["@patchwright/team why?"],
    ["@patchwright.example"],
    ["@patchwright.com/path"],
    ["@@patchwright"],
    ["user@patchwright"],
    ["user@patchwright.example"],
    ["user.name@patchwright"],
    ["_@patchwright"],
    ["patchwright why?"],
    ["/patchwright why?"],
    ["/@patchwright"],
    ["＠patchwright"],
    ["@раtchwright with Cyrillic letters"],
    ["@patch\u200bwright"],
    [""],
  ])("is not in %j", (text) => {
    expect(said(text)).toBeUndefined();
  });

  it.each([
    ["a code span", "`@patchwright why?`"],
    ["a code span of two ticks", "``a ` @patchwright``"],
    ["a code span over two lines", "`a\n@patchwright`"],
    ["a fence", "```\n@patchwright\n```"],
    ["a fence of tildes", "~~~\n@patchwright\n~~~"],
    ["a fence within a longer one", "````\n```\n@patchwright\n```\n````"],
    ["a fence that is never closed", "```\nlog\n\n@patchwright"],
    ["the word behind a fence", "```@patchwright\nx\n```"],
    ["a fence in a list", "- a\n  ```\n  @patchwright\n  ```"],
    ["indented code", "a\n\n    @patchwright"],
    ["code indented by a tab", "\t@patchwright"],
    ["a quote", "> @patchwright why?"],
    ["a quote of a quote", "> > @patchwright why?"],
    ["the lazy line of a quote", "> a\n@patchwright why?"],
    ["a quote in a list", "- > @patchwright"],
    ["an alert", "> [!NOTE]\n> @patchwright"],
    ["the text of a link", "[@patchwright](https://x.example)"],
    ["the target of a link", "[a](https://x.example/@patchwright)"],
    ["the title of a link", '[a](b "@patchwright")'],
    ["a link by reference", "[@patchwright][a]\n\n[a]: b"],
    ["a definition", '[a]: https://x.example/@patchwright "@patchwright"'],
    ["an image's description", "![@patchwright](a.png)"],
    ["an autolink", "<https://x.example/@patchwright>"],
    ["a bare URL", "https://x.example/@patchwright/issues"],
    ["an e-mail autolink", "<a@patchwright.example>"],
    ["a comment", "<!-- @patchwright why? -->"],
    ["a comment that is never closed", "<!-- @patchwright why?"],
    ["a pre block", "<pre>\n@patchwright\n</pre>"],
    ["a table of HTML", "<table><tr><td>@patchwright</td></tr></table>"],
    ["an attribute", 'a <b title="@patchwright">x</b>'],
    ["a footnote", "a[^1]\n\n[^1]: @patchwright"],
    ["a path", "src/@patchwright/index.ts"],
  ])("in %s is none", (_, text) => {
    expect(said(text)).toBeUndefined();
  });

  it("quoted and made again is made once: the quote stays as context", () => {
    expect(said("> @patchwright why?\n\n@patchwright because of what?")).toBe(
      "> @patchwright why?\n\n because of what?",
    );
  });

  it("alone asks for nothing", () => {
    for (const text of ["@patchwright", " @patchwright \n", "@patchwright.", "@patchwright?!"]) {
      expect(said(text)).toBe("");
    }
  });

  it("is of the slug as it is written, whatever a pattern would make of it", () => {
    expect(instructionIn("@my-app why", "my-app")).toBe("why");
    expect(instructionIn("@my-app-2 why", "my-app")).toBeUndefined();
    expect(instructionIn("@myXapp why", "my.app")).toBeUndefined();
  });

  it("leaves the rest of the text as it was, for any text before and after", () => {
    const words = fc.stringMatching(/^[a-z0-9 äöü(){}$%'"+?]{0,40}$/);
    fc.assert(
      fc.property(words, words, (before, after) => {
        const asked = said(`${before} @patchwright ${after}`);
        expect(asked).toBe(`${before}  ${after}`.replace(/^[\s?]+/, "").trim());
      }),
    );
  });

  it("is never found in code, whatever the code is", () => {
    fc.assert(
      fc.property(
        fc.string().map((text) => text.replaceAll(/[`\r\n]/g, "")),
        (code) => {
          expect(said(`\`\`\`\n${code}@patchwright ${code}\n\`\`\``)).toBeUndefined();
        },
      ),
    );
  });
});

describe("64 KB that a parser hates", () => {
  const SIZE = 64_000;
  const fill = (unit: string) => unit.repeat(Math.floor(SIZE / unit.length));

  it.each([
    ["quotes without end", ">"],
    ["quotes and spaces", "> "],
    ["lists in lists", "- "],
    ["numbered lists in lists", "1. "],
    ["setext underlines", "a\n=\n"],
    ["emphasis of two kinds", "*_"],
    ["strikethrough", "~~a"],
    ["strong", "a**b"],
    ["references", "[a]["],
    ["open brackets", "["],
    ["HTML openers", "<a "],
    ["table cells", "|a"],
    ["ticks", "`a"],
    ["entities", "&"],
    ["at signs", "@a "],
    ["the mention itself", "@patchwright"],
  ])("are read to their end: a mention before %s is found", (_, unit) => {
    expect(said(`@patchwright why?\n\n${fill(unit)}`)).toMatch(/^why\?/);
  });

  it("in a quote thirty deep are still a quote", () => {
    expect(said(`${"> ".repeat(30)}@patchwright`)).toBeUndefined();
  });
});
