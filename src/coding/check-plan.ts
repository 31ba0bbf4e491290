/**
 * How a repository is tested: what its config says, else what its ecosystem would do. Decided from the base commit
 * before the agent starts, so an agent cannot choose how it is judged.
 */
import type { CheckCommand, CheckPlan } from "../domain/checks.ts";

/** What is known of the base: which paths exist, and the text of the small files that tell how to test. */
export type BaseFiles = {
  readonly has: (path: string) => boolean;
  readonly packageJson: string | undefined;
  readonly makefile: string | undefined;
};

/** Files whose text a plan needs. */
export const PLAN_FILES = { packageJson: "package.json", makefile: "Makefile" } as const;

/** What a repository's own config asks for: shell commands, by the people who may write to its default branch. */
export type ConfiguredChecks = {
  readonly prepare: readonly string[] | undefined;
  readonly test: readonly string[] | undefined;
};

/** Files of the root folder that say how to test, by ecosystem. */
const DECIDED_BY = {
  node: ["package.json"],
  rust: ["Cargo.toml"],
  go: ["go.mod"],
  python: ["pytest.ini", "tox.ini", "conftest.py", "pyproject.toml"],
  make: ["Makefile"],
} as const;

/** A plan, or undefined where neither the config nor the files name a test. */
export function planChecks(config: ConfiguredChecks, base: BaseFiles): CheckPlan | undefined {
  const found = FINDERS.map((find) => find(base)).find((plan) => plan !== undefined);
  if (config.test === undefined && config.prepare === undefined) return found;
  const test = config.test?.map(shell) ?? found?.test;
  if (test === undefined) return undefined;
  // The config itself cannot be changed by a change; what its commands read can.
  const decidedBy = [...new Set(Object.values(DECIDED_BY).flat())];
  return { source: "config", decidedBy, prepare: config.prepare?.map(shell) ?? found?.prepare ?? [], test };
}

function shell(command: string): CheckCommand {
  return { name: command.split("\n", 1)[0]?.slice(0, 80) ?? "", argv: ["sh", "-c", command] };
}

function words(...argv: string[]): CheckCommand {
  return { name: argv.join(" "), argv };
}

/** Tried in order; the first that knows the repository decides. */
const FINDERS: readonly ((base: BaseFiles) => CheckPlan | undefined)[] = [node, rust, go, python, make];

/** npm writes this script into new packages; it is no test. */
const NO_TEST = /no test specified/i;

function node(base: BaseFiles): CheckPlan | undefined {
  const manifest = readManifest(base.packageJson);
  const script = manifest?.scripts?.["test"];
  if (manifest === undefined || typeof script !== "string" || script.trim() === "" || NO_TEST.test(script)) {
    return undefined;
  }
  const manager = base.has("pnpm-lock.yaml") ? "pnpm" : base.has("yarn.lock") ? "yarn" : "npm";
  const prepare = manifest.hasDependencies ? [INSTALL[manager](base)] : [];
  return { source: "package.json", decidedBy: DECIDED_BY.node, prepare, test: [words(manager, "test")] };
}

const INSTALL = {
  npm: (base: BaseFiles) =>
    base.has("package-lock.json") || base.has("npm-shrinkwrap.json")
      ? words("npm", "ci", "--ignore-scripts")
      : words("npm", "install", "--ignore-scripts", "--no-package-lock"),
  pnpm: () => words("pnpm", "install", "--frozen-lockfile", "--ignore-scripts"),
  yarn: () => words("yarn", "install", "--frozen-lockfile", "--ignore-scripts"),
} as const;

function readManifest(text: string | undefined) {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const field = (name: string) => recordAt(value, name);
    const hasDependencies = [
      "dependencies",
      "devDependencies",
      "optionalDependencies",
      "peerDependencies",
    ].some((name) => Object.keys(field(name) ?? {}).length > 0);
    return { scripts: field("scripts"), hasDependencies };
  } catch {
    return undefined;
  }
}

function recordAt(value: object, name: string): Readonly<Record<string, unknown>> | undefined {
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof found === "object" && found !== null ? Object.fromEntries(Object.entries(found)) : undefined;
}

function rust(base: BaseFiles): CheckPlan | undefined {
  if (!base.has("Cargo.toml")) return undefined;
  return { source: "Cargo.toml", decidedBy: DECIDED_BY.rust, prepare: [], test: [words("cargo", "test")] };
}

function go(base: BaseFiles): CheckPlan | undefined {
  if (!base.has("go.mod")) return undefined;
  return { source: "go.mod", decidedBy: DECIDED_BY.go, prepare: [], test: [words("go", "test", "./...")] };
}

function python(base: BaseFiles): CheckPlan | undefined {
  const known = DECIDED_BY.python.some(base.has);
  if (!known) return undefined;
  return {
    source: "pyproject.toml",
    decidedBy: DECIDED_BY.python,
    prepare: [],
    test: [words("python3", "-m", "pytest")],
  };
}

function make(base: BaseFiles): CheckPlan | undefined {
  if (base.makefile === undefined || !/^test[ \t]*:(?!:?=)/m.test(base.makefile)) return undefined;
  return { source: "Makefile", decidedBy: DECIDED_BY.make, prepare: [], test: [words("make", "test")] };
}
