import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { search, sliceLines } from "../../../src/repository/search.ts";

const SNAPSHOT = {
  files: [
    { path: ".github/a.yml", text: "on: push\n" },
    { path: "src/a.ts", text: "export function Retry() {\n  return delay * 2; // ÄRGER\n}\n" },
    { path: "src/deep/b.ts", text: "retry();\r\nretry(1);" },
  ],
  unread: ["logo.png", "src/big.ts"],
  bytes: 1,
};

const found = (query: string, more: { regexp?: boolean; glob?: string; limit?: number } = {}) => {
  const result = search(SNAPSHOT, { query, limit: 10, ...more });
  if (!result.ok) throw new Error(result.fault.detail);
  return result.value;
};
const where = (...args: Parameters<typeof found>) =>
  found(...args).matches.map(({ path, line }) => `${path}:${line}`);

describe("a search", () => {
  it("finds a text in any case, with path, line and the line itself", () => {
    expect(found("RETRY", { glob: "src/*.ts" }).matches).toEqual([
      { path: "src/a.ts", line: 1, text: "export function Retry() {" },
    ]);
    expect(found("retry()").matches.at(-1)?.text).toBe("retry();");
    expect(where("ärger")).toEqual(["src/a.ts:2"]);
  });

  it.each([
    ["retry", {}, ["src/a.ts:1", "src/deep/b.ts:1", "src/deep/b.ts:2"]],
    ["a * 2", {}, []],
    ["delay * 2", {}, ["src/a.ts:2"]],
    ["retry\\(\\d\\)", { regexp: true }, ["src/deep/b.ts:2"]],
    ["^retry", { regexp: true }, ["src/deep/b.ts:1", "src/deep/b.ts:2"]],
    ["\\p{Lu}RGER", { regexp: true }, ["src/a.ts:2"]],
    ["on", { glob: ".github/**" }, [".github/a.yml:1"]],
    ["retry", { glob: "**/b.ts" }, ["src/deep/b.ts:1", "src/deep/b.ts:2"]],
    ["retry", { glob: "*.ts" }, []],
  ])("for %j with %j finds %j", (query, more, lines) => {
    expect(where(query, more)).toEqual(lines);
  });

  it("says that there is more: more matches, or files that were not read", () => {
    expect(found("retry", { glob: "src/deep/*", limit: 2 })).toMatchObject({ truncated: false });
    expect(found("retry", { glob: "src/deep/*", limit: 1 })).toMatchObject({
      truncated: true,
      matches: [{ line: 1 }],
    });
    expect(found("retry", { glob: "src/*" })).toMatchObject({ truncated: true });
  });

  it.each(["(", "a{2,1}", "\\", "[z-a]", "(?<a>x)(?<a>y)", "\\k<b>(?<a>)"])(
    "names %j as no regular expression",
    (query) => {
      expect(search(SNAPSHOT, { query, regexp: true, limit: 1 })).toMatchObject({
        ok: false,
        fault: { why: "bad-regexp" },
      });
    },
  );

  it("looks at the first 1,000 characters of a line, as of a minified file", () => {
    const files = [{ path: "a.min.js", text: `${"x".repeat(990)}needle-here${"y".repeat(9_000)}` }];
    const within = search({ files, unread: [], bytes: 0 }, { query: "needle-her", limit: 1 });
    const beyond = search({ files, unread: [], bytes: 0 }, { query: "needle-here", limit: 1 });
    expect(within).toMatchObject({ value: { matches: [{ line: 1 }] } });
    expect(beyond).toMatchObject({ value: { matches: [] } });
  });
});

describe("lines of a text", () => {
  const TEXT = "a\nb\nc\n";

  it.each([
    [1, undefined, 9, { text: "a\nb\nc", start: 1, end: 3, lines: 3, truncated: false }],
    [2, 2, 9, { text: "b", start: 2, end: 2, lines: 3, truncated: false }],
    [2, 99, 9, { text: "b\nc", start: 2, end: 3, lines: 3, truncated: false }],
    [1, undefined, 2, { text: "a\nb", start: 1, end: 2, lines: 3, truncated: true }],
    [1, 2, 2, { text: "a\nb", start: 1, end: 2, lines: 3, truncated: false }],
    [3, undefined, 1, { text: "c", start: 3, end: 3, lines: 3, truncated: false }],
    [4, undefined, 9, { text: "", start: 4, end: 3, lines: 3, truncated: false }],
    [3, 1, 9, { text: "", start: 3, end: 2, lines: 3, truncated: false }],
  ])("from %s to %s, at most %s", (start, end, most, slice) => {
    expect(sliceLines(TEXT, start, end, most)).toEqual(slice);
  });

  it("of an empty file are none", () => {
    expect(sliceLines("", 1, undefined, 9)).toEqual({
      text: "",
      start: 1,
      end: 0,
      lines: 0,
      truncated: false,
    });
  });

  it("read piece by piece are the whole", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{0,3}$/), { minLength: 1 }),
        fc.integer({ min: 1, max: 5 }),
        (lines, most) => {
          const text = `${lines.join("\n")}\n`;
          const pieces: string[] = [];
          for (let start = 1; ;) {
            const slice = sliceLines(text, start, undefined, most);
            pieces.push(slice.text);
            if (!slice.truncated) break;
            start = slice.end + 1;
          }
          expect(pieces.join("\n")).toBe(lines.join("\n"));
        },
      ),
    );
  });
});

describe("a pattern that would take a backtracking engine for ever", () => {
  it.each(["(a+)+$", "(a|a)*b", "(.*.*.*)*x"])("ends: %s", (query) => {
    const files = [{ path: "long.txt", text: "a".repeat(1_000) }];
    const result = search({ files, unread: [], bytes: 0 }, { query, regexp: true, limit: 1 });
    expect(result.ok).toBe(true);
  });
});
