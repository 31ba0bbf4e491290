/**
 * Running git on our own repository under `state`. Git never sees the workspace: its folder, configuration, hooks,
 * attributes and ignore files are the agent's to write, so no command of ours runs there.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { refuse } from "./faults.ts";
import type { Places } from "./places.ts";

/** A first clone over a slow line; nothing honest takes longer. */
const MAX_GIT_SECONDS = 600;
/** Most of git's own words that are kept. */
const STDERR_BYTES = 16 * 1024;

/** Settings that hold whatever a configuration file says. Each closes a way from repository data to a command. */
const SAFETY = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.attributesFile=/dev/null",
  "core.excludesFile=/dev/null",
  "core.askPass=",
  "core.autocrlf=false",
  "core.symlinks=true",
  "core.fileMode=true",
  "core.precomposeUnicode=false",
  "core.quotePath=false",
  "core.splitIndex=false",
  "core.untrackedCache=false",
  "credential.helper=",
  "fetch.unpackLimit=1",
  "gc.auto=0",
  "http.followRedirects=false",
  "maintenance.auto=false",
  "safe.bareRepository=explicit",
  "submodule.recurse=false",
].flatMap((setting) => ["-c", setting]);

export type GitRun = {
  readonly exit: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly timedOut: boolean;
};

export type GitOptions = {
  readonly input?: Buffer | string;
  readonly env?: Readonly<Record<string, string>>;
  /** Where git stands. Default `state`; never the workspace. */
  readonly cwd?: string;
  /** When it is killed. Default: ten minutes. */
  readonly seconds?: number;
  /** Allow the one transport a fetch needs. Everything else runs without any. */
  readonly network?: boolean;
};

/** The repository of the base commit. */
export function repositoryOf(places: Places): string {
  return join(places.state, "repo.git");
}

/** The environment of every git process: an explicit list, whatever the tool's own environment holds. */
function gitEnvironment(places: Places, options: GitOptions): Record<string, string> {
  const proxy = process.env["http_proxy"];
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: places.state,
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "/bin/false",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: options.network === true ? "http" : "",
    ...(options.network === true && proxy !== undefined ? { http_proxy: proxy } : {}),
    ...options.env,
  };
}

/** Run git and collect what it says. It is killed when its time is over; a missing git is `git-failed`. */
export async function tryGit(
  places: Places,
  args: readonly string[],
  options: GitOptions = {},
): Promise<GitRun> {
  const child = spawn("git", [...SAFETY, ...args], {
    cwd: options.cwd ?? places.state,
    env: gitEnvironment(places, options),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let timedOut = false;
  const timer = setTimeout(
    () => {
      timedOut = true;
      child.kill("SIGKILL");
    },
    (options.seconds ?? MAX_GIT_SECONDS) * 1000,
  );
  const stdout: Buffer[] = [];
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.setEncoding("utf8");
  child.stderr.on("data", (chunk: string) => {
    stderr = (stderr + chunk).slice(-STDERR_BYTES);
  });
  // A git that leaves early closes its input; its exit code tells the story.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  try {
    const exit = await new Promise<number | null>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", resolve);
    });
    return { exit, stdout: Buffer.concat(stdout), stderr, timedOut };
  } catch (thrown) {
    return refuse("git-failed", String(thrown));
  } finally {
    clearTimeout(timer);
  }
}

/** Run git and take its output; anything but exit 0 is refused. */
export async function git(
  places: Places,
  args: readonly string[],
  options: GitOptions = {},
): Promise<Buffer> {
  const run = await tryGit(places, args, options);
  if (run.exit === 0) return run.stdout;
  if (/No space left on device|Disk quota exceeded/i.test(run.stderr)) refuse("disk", run.stderr);
  const how = run.timedOut ? "took too long" : `exit ${run.exit ?? "by signal"}`;
  return refuse("git-failed", `git ${args.find((arg) => !arg.startsWith("-")) ?? ""}: ${how}: ${run.stderr}`);
}

/** Run git inside our repository. */
export function gitHere(places: Places, args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  return git(places, [`--git-dir=${repositoryOf(places)}`, ...args], options);
}
