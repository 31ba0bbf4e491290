import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globTest } from "../../../src/repository/glob.ts";

describe("a glob", () => {
  it.each<[string | undefined, string[], string[]]>([
    [undefined, ["anything/at.all", ""], []],
    ["", [""], ["a"]],
    ["**", ["a", ".env", "a/b/.c"], []],
    ["*", ["a", ".env"], ["a/b"]],
    ["**/*", ["a", "a/b/c"], []],
    ["**/*.ts", ["a.ts", "src/a.ts", ".hidden/deep/a.ts"], ["a.tsx", "a.ts/b", "ats"]],
    ["src/**", ["src/a", "src/a/b", "src/.x"], ["lib/src/a", "srcs/a", "src"]],
    ["src/**/*.ts", ["src/a.ts", "src/a/b/c.ts"], ["a.ts", "lib/src/a.ts"]],
    ["**/test/**", ["test/a", "a/test/b"], ["atest/b", "test"]],
    ["src/*", ["src/a"], ["src/a/b", "src"]],
    ["*.{ts,js}", ["a.ts", "a.js", ".ts"], ["a.tsx", "a.{ts,js}", "a.ts,js", "b/a.ts"]],
    ["{src,test}/**/*.{ts,mts}", ["src/a.ts", "test/x/a.mts"], ["docs/a.ts"]],
    ["[!-a]b", ["Zb", "0b"], ["-b", "ab", "/b"]],
    ["[a-]b", ["ab", "-b"], ["bb"]],
    ["a[+-9]b", ["a[+-9]b"], ["a/b", "a5b"]],
    ["a{b,c{d,e}}", ["ab", "acd", "ace"], ["ac", "a", "acde"]],
    ["a{,b}", ["a", "ab"], ["a,b"]],
    ["{a,b}{c,d}", ["ac", "bd"], ["ab", "a"]],
    ["[ab].ts", ["a.ts", "b.ts"], ["c.ts", "ab.ts"]],
    ["[!a].ts", ["b.ts"], ["a.ts", "/.ts", ".ts"]],
    ["[^a].ts", ["b.ts"], ["a.ts", "/.ts", ".ts"]],
    ["[a-c0-9]x", ["bx", "7x"], ["dx", "-x"]],
    ["[a^]", ["a", "^"], ["b"]],
    [String.raw`[\d]`, ["d", "\\"], ["1"]],
    ["[.]env", [".env"], ["aenv"]],
    ["a?.ts", ["ab.ts", "a🎉.ts"], ["a.ts", "abc.ts", "a/.ts"]],
    [".env*", [".env", ".env.local"], ["env"]],
    ["a.b", ["a.b"], ["aXb"]],
    ["c++(1)|$.md^", ["c++(1)|$.md^"], ["cc(1)", "c++1"]],
    [String.raw`\*.md`, ["*.md"], ["a.md", String.raw`\*.md`]],
    [String.raw`\{a,b\}`, ["{a,b}"], ["a", "b"]],
    [String.raw`a\\b`, [String.raw`a\b`], ["ab"]],
    ["日本/*.ä", ["日本/x.ä"], ["日本/x.a"]],
    ["a\nb*", ["a\nbc\nd"], ["a"]],
  ])("%j holds %j and not %j", (glob, inside, outside) => {
    const holds = globTest(glob);
    for (const path of inside) expect([path, holds(path)]).toEqual([path, true]);
    for (const path of outside) expect([path, holds(path)]).toEqual([path, false]);
  });

  it.each([
    "(",
    ")",
    "[",
    "[]",
    "[a",
    "a]",
    "{",
    "}",
    "{}",
    "{a}",
    "{a,b",
    "a,b}",
    "{{a,b",
    "{a,[}]",
    "[z-a]",
    "[a--b]",
    "\\",
    "a\\",
    "a{2}",
    "x{1,",
    "$",
    "^a",
    "\ud83d",
  ])("that leaves something open, %j, is its own text and throws nothing", (glob) => {
    expect(globTest(glob)("other")).toBe(false);
    if (!glob.includes("\\") && !/\[.+\]/.test(glob)) expect(globTest(glob)(glob)).toBe(true);
  });

  it("of any text throws nothing", () => {
    const bits = fc.constantFrom(..."{},[]!^-*?/\\.()|$+ab", "**", "**/", "[a-", "\ud83d", "🎉", "\n");
    const globs = fc.oneof(
      fc.array(bits, { maxLength: 12 }).map((parts) => parts.join("")),
      fc.string({ unit: "binary", maxLength: 20 }),
    );
    fc.assert(
      fc.property(globs, fc.string({ maxLength: 10 }), (glob, path) => {
        expect(typeof globTest(glob)(path)).toBe("boolean");
      }),
      { numRuns: 2_000 },
    );
  });

  it("of plain characters holds exactly itself", () => {
    const plain = fc.stringMatching(/^[a-z.+()|$^ /-]{1,12}$/);
    fc.assert(
      fc.property(plain, plain, (glob, path) => {
        expect(globTest(glob)(glob)).toBe(true);
        expect(globTest(glob)(path)).toBe(glob === path);
      }),
    );
  });

  it("with every special character taken as it is holds exactly the path it was made of", () => {
    const paths = fc.array(fc.constantFrom(..."{},[]!*?\\.ab/"), { maxLength: 10 });
    fc.assert(
      fc.property(paths, (characters) => {
        const glob = characters.map((each) => `\\${each}`).join("");
        expect(globTest(glob)(characters.join(""))).toBe(true);
        expect(globTest(glob)(`${characters.join("")}x`)).toBe(false);
      }),
    );
  });
});

describe("a glob that would take a backtracking engine for ever", () => {
  it.each([
    "*a*a*a*a*a*a*a*a*b",
    "**/**/**/**/**/**/**/b",
    `${"{a,*}".repeat(60)}b`,
    `${"*".repeat(499)}b`,
    "{".repeat(500),
    `${"{a,".repeat(100)}${"}".repeat(100)}b`,
  ])("ends: %s", (glob) => {
    expect(globTest(glob)("a".repeat(4_000))).toBe(false);
    expect(globTest(glob)("a/".repeat(2_000))).toBe(false);
  });
});
