// Installs what package-lock.json names, when it is not there. Plain JavaScript for any Node from 20 on, as start.mjs.
// Owns the stamp in node_modules that says for which lock file, and for which machine, the packages were installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const isWindows = process.platform === "win32";

/**
 * @typedef {{
 *   root: string,
 *   folder: string,
 *   what: string,
 *   size: string,
 *   proof: readonly [command: string, ...args: string[]],
 * }} Packages `folder` is below `root` and has the lock file; `proof` is a command that runs only when all is well.
 */

/**
 * The packages are there, or they are installed now.
 * @param {Packages} packages
 * @param {NodeJS.ProcessEnv} env
 * @returns {{ problem: string, mend: string } | undefined} what keeps them from being there
 */
export function install({ root, folder, what, size, proof }, env) {
  const place = join(root, folder);
  const lock = readFileSync(join(place, "package-lock.json"), "utf8");
  const stamp = join(place, "node_modules/.patchwright-lock");
  const wanted = createHash("sha256")
    .update(lock)
    .update(process.platform)
    .update(process.arch)
    .digest("hex");
  const isStamped = existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
  if (isStamped && isWhole(place, lock) && existsSync(proof[0])) return undefined;

  console.error(`Installing ${what} (about ${size}, which takes a while) …`);
  // What the user set for their own projects must not leave out what these need.
  const flags = ["--include=dev", "--include=optional", "--ignore-scripts=false"];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1"];
  const npm = spawnSync("npm", ["ci", ...flags, ...quiet], {
    cwd: place,
    stdio: ["ignore", "ignore", "inherit"],
    shell: isWindows,
    env,
  });
  if (npm.error !== undefined || npm.status !== 0) {
    return {
      problem: `npm could not install ${what} (its words are above).`,
      mend: `check the network, the free space and npm's registry, then try again.`,
    };
  }
  const [command, ...args] = proof;
  const proven = spawnSync(command, args, { stdio: "ignore", shell: isWindows, env });
  if (proven.error !== undefined || proven.status !== 0 || !isWhole(place, lock)) {
    return {
      problem: `${what} were installed, but ${[command, ...args].join(" ")} does not run here.`,
      mend: `remove ${join(place, "node_modules")}, then try again.`,
    };
  }
  writeFileSync(stamp, wanted);
  return undefined;
}

/** Every package that the lock file does not call optional has its folder: a half-deleted node_modules has not. */
function isWhole(place, lock) {
  return Object.entries(JSON.parse(lock).packages ?? {}).every(
    ([path, { optional, devOptional }]) =>
      path === "" || optional || devOptional || existsSync(join(place, path)),
  );
}
