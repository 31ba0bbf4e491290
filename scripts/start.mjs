// Starts a TypeScript program of this repository on a fresh clone: installs what is missing, then runs the program on
// the Node that package.json pins. Plain JavaScript for any Node from 20 on, since that is what is there before the
// install. Usage: node scripts/start.mjs PROGRAM.ts [ARGUMENTS]
import { spawn, spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from "node:fs";
import { constants as system, homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { install } from "./install.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const node = join(root, "node_modules/node/bin/node");
const isWindows = process.platform === "win32";

/** How often is looked whether whoever started this is still there, in milliseconds. */
const PARENT_CHECK_MS = 1_000;

/** Say what is missing and how to mend it, and stop. */
function stop(problem, mend) {
  console.error(`\nPatchwright cannot start: ${problem}\nTo mend it: ${mend}\n`);
  process.exit(1);
}

/** Whether a folder can be read and written. */
function isUsable(folder) {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isOnPath(program) {
  const names = isWindows ? [`${program}.cmd`, `${program}.exe`] : [program];
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.some((folder) => names.some((name) => existsSync(join(folder, name))));
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
if (!isOnPath("npm")) stop("npm is not there.", "install npm, which comes with Node, then try again.");
if (!isUsable(tmpdir())) {
  stop(
    `the folder for temporary files, ${tmpdir()}, is not there or cannot be written to.`,
    "set TMPDIR to a folder that can, then try again.",
  );
}

const env = {
  ...process.env,
  PATH: [join(root, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter),
};
if (!isUsable(homedir())) {
  // npm, git and wrangler all keep things there, and wrangler fails while it is loaded if it cannot.
  const home = mkdtempSync(join(tmpdir(), "patchwright-home-"));
  process.on("exit", () => rmSync(home, { recursive: true, force: true }));
  console.error(`The home folder ${homedir()} cannot be used; an empty one stands in for it: ${home}`);
  env.HOME = home;
  env.USERPROFILE = home;
}

for (const packages of [
  { folder: "", what: "the packages", size: "1.3 GB", proof: [node, "--version"] },
  {
    folder: "container",
    what: "the coding agents",
    size: "0.4 GB",
    proof: [join(root, "container/node_modules/.bin/claude"), "--version"],
  },
]) {
  const fault = install({ root, ...packages }, env);
  if (fault !== undefined) stop(fault.problem, fault.mend);
}

const [program, ...args] = process.argv.slice(2);
if (program === undefined) process.exit(0);
const child = spawn(node, [join(root, program), ...args], { stdio: "inherit", env });
// Whoever ends this process means the program, which has a world to take down. Ctrl-C has reached it already; it
// takes a second signal for the same one.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
// `kill` of npm alone reaches neither this process nor the program.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) child.kill("SIGTERM");
}, PARENT_CHECK_MS).unref();
child.on("error", () =>
  stop("the installed Node does not run here.", "remove node_modules, then try again."),
);
child.on("exit", (code, signal) => process.exit(code ?? 128 + (system.signals[signal] ?? 0)));
