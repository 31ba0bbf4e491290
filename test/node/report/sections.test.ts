import fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";
import type { CheckResult } from "../../../src/domain/checks.ts";
import {
  checksSection,
  codeSpan,
  fence,
  leftOutSection,
  seconds,
  verdict,
} from "../../../src/report/sections.ts";

const RESULT: CheckResult = {
  name: "t",
  command: "npm test",
  exit: 0,
  ms: 1_234,
  timedOut: false,
  output: "",
};

const block = (markdown: string) => fromMarkdown(markdown).children;

describe("a code span", () => {
  it.each([
    ["a", "`a`"],
    ["a`b", "`` a`b ``"],
    ["`", "`` ` ``"],
    ["``a```", "```` ``a``` ````"],
    ["a\nb\tc", "`a b c`"],
  ])("of %j is %j", (text, span) => {
    expect(codeSpan(text)).toBe(span);
  });

  it("holds any text and nothing escapes from it", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a`~<>*@\\[\]()|#-]{1,30}$/), (text) => {
        const [paragraph, ...rest] = block(`x ${codeSpan(text)} y`);
        expect(rest).toEqual([]);
        expect(paragraph).toMatchObject({
          children: [{ value: "x " }, { type: "inlineCode", value: text }, { value: " y" }],
        });
      }),
    );
  });
});

describe("a fence", () => {
  it("holds any text and nothing escapes from it", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("```", "````", "~~~", "\n", "a", "</details>", " "), { maxLength: 12 }),
        (parts) => {
          const text = parts.join("");
          expect(block(`${fence(text)}\n\nafter`)).toMatchObject([
            { type: "code", value: text },
            { type: "paragraph" },
          ]);
        },
      ),
    );
  });
});

describe("the checks of a change", () => {
  it.each([
    ["passed", "The tests pass"],
    ["failed", "**The tests fail**"],
    ["no-tests", "**Not tested**: neither"],
    ["not-run", "**Not tested**: the tests could not be run."],
  ] as const)("%s: %s", (outcome, start) => {
    expect(verdict({ outcome, results: [] }).startsWith(start)).toBe(true);
  });

  it.each([
    [{}, "`npm test`: passed in 1.2 s"],
    [{ exit: 1 }, "`npm test`: exit code 1 in 1.2 s"],
    [{ exit: null }, "`npm test`: exit code none in 1.2 s"],
    [{ exit: null, timedOut: true }, "`npm test`: timed out in 1.2 s"],
    [{ command: "echo `date` <b>" }, "`` echo `date` <b> ``: passed in 1.2 s"],
    [
      { output: "ok\n" },
      "<details><summary><code>npm test</code>: passed in 1.2 s</summary>\n\n```text\nok\n```\n\n</details>",
    ],
    [
      { command: "echo `a` </summary>@ada", output: "ok" },
      "<details><summary><code>echo `a` &lt;/summary&gt;@ada</code>: passed in 1.2 s</summary>\n\n```text\nok\n```\n\n</details>",
    ],
  ])("with a result of %j say so", (changes, text) => {
    const report = { outcome: "passed", results: [{ ...RESULT, ...changes }] } as const;
    expect(checksSection(report)).toBe(`${verdict(report)}\n\n${text}`);
  });

  it("show the end of a long output, without a secret that the cut would halve", () => {
    const output = `${"x".repeat(100)} ghp_${"a".repeat(36)}${"b".repeat(5_970)}`;
    const shown = checksSection({ outcome: "failed", results: [{ ...RESULT, exit: 1, output }] });
    expect(shown).not.toMatch(/a{3}/);
    expect(shown.length).toBeLessThan(6_300);
  });
});

describe("what was left out", () => {
  it("is nothing where everything is delivered", () => {
    expect(leftOutSection([], [])).toBe("");
  });

  it("is listed up to fifty, and counted beyond", () => {
    const refused = Array.from({ length: 50 }, (_, n) => ({ path: `f${n}`, why: "too-many" }));
    expect(leftOutSection(refused, [])).not.toContain("more");
    const text = leftOutSection(refused, [{ path: "g", why: "special-file" }]);
    expect(text).toContain("- `f49`: too many\n- and 1 more");
  });
});

describe("a time", () => {
  it.each([
    [0, "0.0 s"],
    [9_999, "10.0 s"],
    [10_000, "10 s"],
    [59_499, "59 s"],
    [59_500, "1 min 0 s"],
    [125_000, "2 min 5 s"],
  ])("of %i ms reads %s", (ms, text) => {
    expect(seconds(ms)).toBe(text);
  });
});
