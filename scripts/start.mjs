// Starts a TypeScript program of this repository on a fresh clone: installs what is missing, then runs the program on
// the Node that package.json pins. Plain JavaScript for any Node from 20 on, since that is what is there before the
// install. Usage: node scripts/start.mjs PROGRAM.ts [ARGUMENTS]
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const node = join(root, "node_modules/node/bin/node");

/** Say what is missing and how to mend it, and stop. */
function stop(problem, mend) {
  console.error(`\nPatchwright cannot start: ${problem}\nTo mend it: ${mend}\n`);
  process.exit(1);
}

const major = Number(process.versions.node.split(".")[0]);
if (major < 20)
  stop(`this is Node ${process.versions.node}.`, "use Node 20 or newer; the rest is installed from npm.");

const git = spawnSync("git", ["--version"], { encoding: "utf8" });
if (git.error !== undefined || git.status !== 0) {
  stop(
    "git is not there.",
    "install git (Debian: apt-get install git; macOS: xcode-select --install), then try again.",
  );
}

/** Packages below `folder` are those of its lock file, or they are installed now. */
function ensure(folder, what) {
  const lock = readFileSync(join(root, folder, "package-lock.json"));
  const wanted = createHash("sha256")
    .update(lock)
    .update(process.platform)
    .update(process.arch)
    .digest("hex");
  const stamp = join(root, folder, "node_modules/.patchwright-lock");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  console.error(`Installing ${what} …`);
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: join(root, folder),
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (npm.error !== undefined)
    stop("npm is not there.", "install npm, which comes with Node, then try again.");
  if (npm.status !== 0) {
    stop(
      `npm could not install ${what} (its words are above).`,
      `check the network and the npm registry's settings, then run: npm ci --prefix ${folder || "."}`,
    );
  }
  writeFileSync(stamp, wanted);
}

ensure("", "the packages");
ensure("container", "the coding agents");

const check = spawnSync(node, ["--version"], { encoding: "utf8" });
if (check.error !== undefined || check.status !== 0) {
  stop(
    "the installed Node does not run here.",
    "remove node_modules and try again; it is then installed anew.",
  );
}

const path = [join(root, "node_modules/.bin"), process.env.PATH ?? ""].join(
  process.platform === "win32" ? ";" : ":",
);
const [program, ...args] = process.argv.slice(2);
if (program === undefined) process.exit(0);
const child = spawn(node, [join(root, program), ...args], {
  stdio: "inherit",
  env: { ...process.env, PATH: path },
});
// Whoever ends this process means the program, which has a world to take down.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", () => stop("the installed Node does not run here.", "remove node_modules and try again."));
child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
