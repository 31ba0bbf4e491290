import { describe, expect, it } from "vitest";
import { planChecks, type BaseFiles, type ConfiguredChecks } from "../../../src/coding/check-plan.ts";

const NONE: ConfiguredChecks = { prepare: undefined, test: undefined };

function base(files: Readonly<Record<string, string>>): BaseFiles {
  return {
    has: (path) => Object.hasOwn(files, path),
    packageJson: files["package.json"],
    makefile: files["Makefile"],
  };
}

/** A plan on two lines: how it prepares and how it tests. */
function plan(files: Readonly<Record<string, string>>, config = NONE) {
  const found = planChecks(config, base(files));
  return found && [found.source, found.prepare.map(line), found.test.map(line)];
}
const line = ({ argv }: { argv: readonly string[] }) => argv.join(" ");

const TESTED = JSON.stringify({ scripts: { test: "node --test" } });
const DEPENDENT = JSON.stringify({ scripts: { test: "vitest" }, devDependencies: { vitest: "5" } });

describe("how a repository is tested", () => {
  it.each<[string, Record<string, string>, unknown]>([
    ["a package without dependencies", { "package.json": TESTED }, ["package.json", [], ["npm test"]]],
    [
      "npm with a lock",
      { "package.json": DEPENDENT, "package-lock.json": "" },
      ["package.json", ["npm ci --ignore-scripts"], ["npm test"]],
    ],
    [
      "npm with a shrinkwrap",
      { "package.json": DEPENDENT, "npm-shrinkwrap.json": "" },
      ["package.json", ["npm ci --ignore-scripts"], ["npm test"]],
    ],
    [
      "npm without a lock",
      { "package.json": DEPENDENT },
      ["package.json", ["npm install --ignore-scripts --no-package-lock"], ["npm test"]],
    ],
    [
      "pnpm",
      { "package.json": DEPENDENT, "pnpm-lock.yaml": "" },
      ["package.json", ["pnpm install --frozen-lockfile --ignore-scripts"], ["pnpm test"]],
    ],
    [
      "yarn",
      { "package.json": DEPENDENT, "yarn.lock": "" },
      ["package.json", ["yarn install --frozen-lockfile --ignore-scripts"], ["yarn test"]],
    ],
    ["cargo", { "Cargo.toml": "" }, ["Cargo.toml", [], ["cargo test"]]],
    ["go", { "go.mod": "" }, ["go.mod", [], ["go test ./..."]]],
    ["pytest", { "pyproject.toml": "" }, ["pyproject.toml", [], ["python3 -m pytest"]]],
    ["make", { Makefile: "all:\n\techo\ntest: all\n\techo" }, ["Makefile", [], ["make test"]]],
    [
      "package.json before the others",
      { "package.json": TESTED, "Cargo.toml": "", Makefile: "test:" },
      ["package.json", [], ["npm test"]],
    ],
    [
      "the next where package.json has no test",
      { "package.json": "{}", "go.mod": "" },
      ["go.mod", [], ["go test ./..."]],
    ],
  ])("%s", (_, files, expected) => {
    expect(plan(files)).toEqual(expected);
  });

  it.each<[string, Record<string, string>]>([
    ["nothing", {}],
    ["only prose", { "README.md": "# a" }],
    [
      "npm's own placeholder",
      { "package.json": JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }) },
    ],
    ["an empty script", { "package.json": JSON.stringify({ scripts: { test: "  " } }) }],
    ["a script that is no text", { "package.json": JSON.stringify({ scripts: { test: ["a"] } }) }],
    ["scripts that are no map", { "package.json": JSON.stringify({ scripts: "test" }) }],
    ["a manifest that is no JSON", { "package.json": "{" }],
    ["a manifest that is null", { "package.json": "null" }],
    ["a manifest with a test in its prototype", { "package.json": '{"__proto__":{"scripts":{"test":"x"}}}' }],
    ["a Makefile without that target", { Makefile: "testing:\n\ntests:\n" }],
    ["a Makefile with a variable of that name", { Makefile: "test := 1\n" }],
  ])("is not known from %s", (_, files) => {
    expect(plan(files)).toBeUndefined();
  });
});

describe("a config", () => {
  it("replaces what was found", () => {
    expect(
      plan({ "package.json": DEPENDENT }, { prepare: ["make deps"], test: ["make a", "make b"] }),
    ).toEqual(["config", ["sh -c make deps"], ["sh -c make a", "sh -c make b"]]);
  });

  it("that names only tests keeps how the ecosystem prepares, and the other way round", () => {
    const files = { "package.json": DEPENDENT, "package-lock.json": "" };
    expect(plan(files, { prepare: undefined, test: ["a"] })).toEqual([
      "config",
      ["npm ci --ignore-scripts"],
      ["sh -c a"],
    ]);
    expect(plan(files, { prepare: ["a"], test: undefined })).toEqual(["config", ["sh -c a"], ["npm test"]]);
  });

  it("that names only how to prepare tests nothing where there is no test", () => {
    expect(plan({}, { prepare: ["a"], test: undefined })).toBeUndefined();
  });

  it("passes a command as one argument, whatever is in it, and names it by its first line", () => {
    const command = `a "$(b)"; c\nd`;
    const found = planChecks({ prepare: undefined, test: [command, "x".repeat(100)] }, base({}));
    expect(found?.test).toEqual([
      { name: `a "$(b)"; c`, argv: ["sh", "-c", command] },
      { name: "x".repeat(80), argv: ["sh", "-c", "x".repeat(100)] },
    ]);
  });
});

describe("the files that decide how a change is tested", () => {
  it.each([
    ["package.json", { packageJson: '{"scripts":{"test":"x"}}' }, ["package.json"], ["package.json"]],
    ["pytest's settings", {}, ["pytest.ini"], ["pytest.ini", "tox.ini", "conftest.py", "pyproject.toml"]],
  ])("are named with the plan: %s", (_, texts, paths, decidedBy) => {
    const files = {
      has: (path: string) => paths.includes(path),
      packageJson: undefined,
      makefile: undefined,
    };
    const found = planChecks({ prepare: undefined, test: undefined }, { ...files, ...texts });
    expect(found?.decidedBy).toEqual(decidedBy);
  });

  it("are all that any ecosystem has, where the config names the commands", () => {
    const files = { has: () => false, packageJson: undefined, makefile: undefined };
    const found = planChecks({ prepare: undefined, test: ["npm test"] }, files);
    expect(found?.decidedBy).toEqual(expect.arrayContaining(["package.json", "conftest.py", "Makefile"]));
  });
});
