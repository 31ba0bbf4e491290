import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../src/config/parse.ts";
import { DEFAULT_CONFIG } from "../../../src/config/schema.ts";

const faultsOf = (text: string) => {
  const parsed = parseConfig(text);
  return parsed.ok ? [] : parsed.fault;
};

describe("a config that is used", () => {
  it.each([
    ["none", undefined],
    ["an empty one", ""],
    ["only blank lines", "\n \n"],
    ["only comments", "# nothing yet\n# at all\n"],
    ["only a document start", "---\n"],
    ["null", "null"],
  ])("has the defaults: %s", (_, text) => {
    expect(parseConfig(text)).toEqual({ ok: true, value: DEFAULT_CONFIG });
  });

  it("says how to prepare and test, and what the agent should know", () => {
    const text = `
checks:
  prepare: npm ci
  test:
    - npm test
    - "npm run lint"
instructions: |
  Use tabs.
check_seconds: 60
`;
    expect(parseConfig(text)).toEqual({
      ok: true,
      value: {
        prepare: ["npm ci"],
        test: ["npm test", "npm run lint"],
        instructions: "Use tabs.",
        checkSeconds: 60,
      },
    });
  });

  it.each([10, 3_600])("may give a check %i seconds", (seconds) => {
    expect(parseConfig(`check_seconds: ${seconds}`)).toMatchObject({
      ok: true,
      value: { checkSeconds: seconds },
    });
  });

  it("may name ten commands, and not one more", () => {
    const commands = (count: number) => `checks:\n  test:\n${"    - a\n".repeat(count)}`;
    expect(parseConfig(commands(10)).ok).toBe(true);
    expect(faultsOf(commands(11))).toMatchObject([{ line: 2, key: "checks.test" }]);
  });

  it("reads Windows line ends and a byte order mark", () => {
    expect(parseConfig("\ufeffchecks:\r\n  test: npm test\r\n")).toMatchObject({
      ok: true,
      value: { test: ["npm test"] },
    });
  });

  it("may have 64 K characters", () => {
    const text = `instructions: hi\n#${"x".repeat(64 * 1024)}`.slice(0, 64 * 1024);
    expect(parseConfig(text).ok).toBe(true);
    expect(faultsOf(`${text}x`)).toEqual([{ line: 1, key: "", problem: "is longer than 65536 characters" }]);
  });
});

describe("a config that cannot be used says where", () => {
  it.each([
    ["a key nobody knows", "check_seconds: 60\nchekcs: x", 2, "chekcs", "is not a setting"],
    ["one further in", "checks:\n  test: x\n\n  tset: y", 4, "checks.tset", "is not a setting"],
    ["__proto__", "# a\n__proto__: {}", 2, "__proto__", "is not a setting"],
    ["a merge key", "<<: {}", 1, "<<", "is not a setting"],
    ["a number for a text", "\ninstructions: 3", 2, "instructions", "expected string"],
    [
      "a number for a command",
      "checks:\n  test:\n    - npm test\n    - 3",
      4,
      "checks.test.1",
      "expected string",
    ],
    ["an empty command", "checks:\n  prepare:\n    - ''", 3, "checks.prepare.0", "Too small"],
    ["no test command, which would pass whatever is written", "checks:\n  test: []", 2, "checks.test", ">=1"],
    ["an empty test command", 'checks:\n  test: " "', 2, "checks.test.0", ">=1"],
    ["a map for a command", "checks:\n  test:\n    run: x", 2, "checks.test", "expected array"],
    ["nothing for checks", "checks:", 1, "checks", "expected object"],
    ["a text for a number", "check_seconds: soon", 1, "check_seconds", "expected number"],
    ["too few seconds", "check_seconds: 9", 1, "check_seconds", "Too small"],
    ["too many seconds", "check_seconds: 3601", 1, "check_seconds", "Too big"],
    ["half a second", "check_seconds: 60.5", 1, "check_seconds", "expected int"],
    ["a list", "- a\n- b", 1, "", "expected object"],
    ["a text", "npm test", 1, "", "expected object"],
    ["a key that comes twice", "check_seconds: 60\ncheck_seconds: 70", 2, "", "unique"],
    ["a tab", "checks:\n\ttest: x", 2, "", "Tabs are not allowed"],
    ["an open bracket", "checks: {test: [a", 1, "", "]"],
    ["two documents", "check_seconds: 60\n---\ncheck_seconds: 70", 2, "", "multiple documents"],
    ["an alias", "checks: &a\n  test: x\ninstructions: *a", 3, "", "aliases are not supported"],
    ["an alias of nothing", "instructions: *a", 1, "", "aliases are not supported"],
  ])("%s", (_, text, line, key, problem) => {
    const said = expect.stringContaining(problem);
    expect(faultsOf(text)).toContainEqual({ line, key, problem: said });
  });

  it("names everything that is wrong at once", () => {
    const keys = faultsOf("a: 1\nb: 2\nchecks:\n  c: 3\ncheck_seconds: x").map(({ line, key }) => [
      line,
      key,
    ]);
    expect(keys.sort()).toEqual([
      [1, "a"],
      [2, "b"],
      [4, "checks.c"],
      [5, "check_seconds"],
    ]);
  });

  it("without unfolding what aliases would unfold", () => {
    const laughs = Array.from({ length: 30 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}, *a${n}]`);
    expect(faultsOf(["a0: &a0 [ha]", ...laughs].join("\n"))).toEqual([
      { line: 2, key: "", problem: "aliases are not supported; write the value out" },
    ]);
  });

  it("and is never an exception, with every line within the file", () => {
    const bits = fc.constantFrom(
      "checks:",
      "  test: x",
      "- ",
      "\t",
      "&a ",
      "*a",
      "{",
      "]",
      ": ",
      "!!map",
      "|\n",
      "'",
      "\n",
      "? ",
      "é",
      "check_seconds: 1",
      "%YAML",
      "...",
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        for (const { line } of faultsOf(text)) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(text.split("\n").length);
        }
      }),
      { numRuns: 500 },
    );
  });
});
