/**
 * A fresh clone in a temporary folder, with the real scripts and a stand-in for npm that installs a Node and a Claude
 * Code at once, and writes down what it was asked for.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ROOT } from "../../../dev/world/root.ts";

export type Ran = { readonly code: number | null; readonly out: string; readonly err: string };

export type Clone = {
  readonly folder: string;
  readonly nodeModules: string;
  /** What npm was asked for, one line each time. */
  asked(): Promise<readonly string[]>;
  /** Start the program, with `text` as its source. */
  start(text: string, env?: NodeJS.ProcessEnv): ChildProcess;
  run(text: string, env?: NodeJS.ProcessEnv): Promise<Ran>;
  remove(): Promise<void>;
};

/** @param npm what the stand-in does in a package's folder, in sh; `install` is a function that installs */
export async function makeClone(npm = "install"): Promise<Clone> {
  const folder = await mkdtemp(join(tmpdir(), "clone-"));
  const nodeModules = join(folder, "node_modules");
  await mkdir(join(folder, "container"), { recursive: true });
  await mkdir(join(folder, "bin"));
  for (const name of ["start.mjs", "install.mjs"]) {
    await cp(join(ROOT, "scripts", name), join(folder, "scripts", name));
  }
  await lock(folder, ["node", "left-pad"]);
  await lock(join(folder, "container"), ["@anthropic-ai/claude-code"]);
  const install = [
    "#!/bin/sh",
    `echo "$(basename "$PWD") $*" >> ${join(folder, "asked")}`,
    "install() {",
    "  mkdir -p node_modules/node/bin node_modules/left-pad node_modules/.bin node_modules/@anthropic-ai/claude-code",
    `  ln -sf ${process.execPath} node_modules/node/bin/node`,
    "  printf '#!/bin/sh\\nexit 0\\n' > node_modules/.bin/claude && chmod +x node_modules/.bin/claude",
    "}",
    npm,
  ];
  await writeFile(join(folder, "bin/npm"), `${install.join("\n")}\n`);
  await chmod(join(folder, "bin/npm"), 0o755);

  const start = (text: string, env: NodeJS.ProcessEnv = {}) =>
    spawn(process.execPath, [join(folder, "scripts/start.mjs"), "program.ts", text], {
      env: { ...process.env, PATH: [join(folder, "bin"), process.env["PATH"]].join(delimiter), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
  // The text comes as an argument, so that no two runs share a file.
  await writeFile(
    join(folder, "program.ts"),
    'await import(`data:text/javascript,${encodeURIComponent(process.argv[2] ?? "")}`);\n',
  );
  return {
    folder,
    nodeModules,
    asked: async () => {
      const text = await readFile(join(folder, "asked"), "utf8").catch(() => "");
      return text.split("\n").filter((line) => line !== "");
    },
    start,
    run: (text, env) => finished(start(text, env)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What a process printed, and how it ended. */
export async function finished(child: ChildProcess): Promise<Ran> {
  const said = { out: "", err: "" };
  child.stdout?.on("data", (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (said.err += chunk.toString()));
  await once(child, "close");
  return { code: child.exitCode, ...said };
}

async function lock(folder: string, names: readonly string[]): Promise<void> {
  const packages = Object.fromEntries(names.map((name) => [`node_modules/${name}`, { version: "1.0.0" }]));
  const elsewhere = { "node_modules/for-another-system": { version: "1.0.0", optional: true } };
  const text = JSON.stringify({ lockfileVersion: 3, packages: { "": {}, ...packages, ...elsewhere } });
  await writeFile(join(folder, "package-lock.json"), text);
}
