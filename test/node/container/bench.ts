/** A place to try the tool in: a real repository, served over http, and a workspace. Everything real, on this machine. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ToolAnswer, ToolCalls } from "../../../src/domain/container-protocol.ts";
import type { ExportLimits, FileSet } from "../../../src/domain/file-set.ts";
import { startGitServer } from "./git-server.ts";
import type { GitServer } from "./git-server.ts";

const TOOL_MAIN = new URL("../../../container/tool/main.ts", import.meta.url).pathname;
const LIMITS: ExportLimits = { files: 100, fileBytes: 1024 * 1024, totalBytes: 4 * 1024 * 1024 };

export type Bench = {
  readonly root: string;
  readonly workspace: string;
  readonly state: string;
  readonly server: GitServer;
  /** More environment for the tool. */
  readonly env: Record<string, string>;
  /** Git in the source repository, as its author. */
  source(...args: string[]): string;
  /** Write a file of the source repository. */
  put(path: string, content: string | Buffer): void;
  /** Commit everything; returns the commit id. */
  commit(): string;
  /** Run a shell command in the workspace, as the agent would. */
  agent(script: string): void;
  tool<Name extends keyof ToolCalls>(
    name: Name,
    input: unknown,
  ): Promise<ToolAnswer<ToolCalls[Name]["output"]>>;
  checkout(commit: string): Promise<void>;
  exported(limits?: Partial<ExportLimits>): Promise<FileSet>;
  close(): Promise<void>;
};

/** Run git with nothing of this machine's settings. */
export function gitIn(folder: string, args: readonly string[]): string {
  return execFileSync("git", ["-C", folder, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: tmpdir(),
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_CONFIG_GLOBAL: "/dev/null",
      // The workspace belongs to the agent's user.
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "safe.directory",
      GIT_CONFIG_VALUE_0: "*",
      GIT_AUTHOR_NAME: "ada",
      GIT_AUTHOR_EMAIL: "ada@users.example",
      GIT_COMMITTER_NAME: "ada",
      GIT_COMMITTER_EMAIL: "ada@users.example",
      GIT_ALLOW_PROTOCOL: "file",
    },
  });
}

export async function openBench(): Promise<Bench> {
  const root = mkdtempSync(join(tmpdir(), "bench-"));
  const source = join(root, "served", "source");
  const workspace = join(root, "box", "workspace");
  const state = join(root, "box", "state");
  const tmp = join(root, "box", "tmp");
  for (const folder of [source, workspace, state, tmp]) mkdirSync(folder, { recursive: true });
  chmodSync(tmp, 0o1777);
  gitIn(source, ["init", "--quiet", "--initial-branch=main"]);
  const server = await startGitServer(join(root, "served"));
  // Run as root, these tests work with two users, as the image does; otherwise the tool takes no notice of it.
  const env: Record<string, string> = { PATCHWRIGHT_AGENT_UID: "65534", PATCHWRIGHT_AGENT_GID: "65534" };
  chmodSync(root, 0o711);
  const bench: Bench = {
    root,
    workspace,
    state,
    server,
    env,
    source: (...args) => gitIn(source, args),
    put(path, content) {
      mkdirSync(dirname(join(source, path)), { recursive: true });
      writeFileSync(join(source, path), content);
    },
    commit() {
      gitIn(source, ["-c", "core.autocrlf=false", "add", "--all", "--force"]);
      gitIn(source, ["commit", "--quiet", "--allow-empty", "-m", "one"]);
      return gitIn(source, ["rev-parse", "HEAD"]).trim();
    },
    agent(script) {
      const asRoot = process.getuid?.() === 0;
      execFileSync("sh", ["-c", script], {
        cwd: workspace,
        stdio: ["ignore", "ignore", "inherit"],
        env: {
          PATH: process.env["PATH"] ?? "",
          HOME: workspace,
          GIT_CONFIG_GLOBAL: "/dev/null",
          LC_ALL: "C.UTF-8",
        },
        ...(asRoot ? { uid: 65534, gid: 65534 } : {}),
      });
    },
    tool: (name, input) =>
      callTool(name, input, {
        PATH: process.env["PATH"] ?? "",
        PATCHWRIGHT_WORKSPACE: workspace,
        PATCHWRIGHT_STATE: state,
        TMPDIR: tmp,
        http_proxy: server.proxy,
        ...env,
      }),
    async checkout(commit) {
      const answer = await bench.tool("checkout", {
        url: "http://git.internal/source/.git",
        commit,
        depth: 5,
      });
      if (!answer.ok) throw new Error(`${answer.fault.why}: ${answer.fault.detail}`);
    },
    async exported(limits = {}) {
      const answer = await bench.tool("export", { limits: { ...LIMITS, ...limits } });
      if (!answer.ok) throw new Error(`${answer.fault.why}: ${answer.fault.detail}`);
      return answer.value;
    },
    async close() {
      await server.close();
      // What a test closed, a user other than root cannot remove.
      execFileSync("chmod", ["-R", "u+rwX", root]);
      rmSync(root, { recursive: true, force: true });
    },
  };
  return bench;
}

async function callTool<T>(name: string, input: unknown, env: Record<string, string>): Promise<T> {
  const child = spawn(process.execPath, [TOOL_MAIN, name], { env, stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(typeof input === "string" ? input : JSON.stringify(input));
  const out: Buffer[] = [];
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const exit = await new Promise<number | null>((resolve) => child.on("close", resolve));
  if (exit !== 0) throw new Error(`the tool exited with ${exit}: ${err}`);
  const answer: T = JSON.parse(Buffer.concat(out).toString("utf8"));
  return answer;
}

/** A file set as "op mode path", for comparing. */
export function outline(set: FileSet): string[] {
  return set.changes.map((change) =>
    change.op === "write" ? `${change.mode} ${change.path}` : `delete ${change.path}`,
  );
}

/** The content a set gives a path. */
export function contentOf(set: FileSet, path: string): Buffer {
  const change = set.changes.find((each) => each.path === path);
  if (change?.op !== "write") throw new Error(`${path} is not written`);
  return Buffer.from(change.content, "base64");
}
