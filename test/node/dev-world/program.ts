/** A program of the local world as a child of its own process group, with its own folder for temporary files. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../../../dev/world/root.ts";

export type Program = {
  readonly child: ChildProcess;
  /** Resolves once the output has `text`. */
  until(text: string): Promise<void>;
  /** As a terminal does on Ctrl-C: every process of the group gets it. */
  interrupt(): void;
  readonly end: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>;
  /** What is left of temporary files. */
  left(): Promise<readonly string[]>;
  remove(): Promise<void>;
};

/** @param args the program's path below the repository's root, and its arguments */
export async function startProgram(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  input?: string,
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), "program-"));
  const [path = "", ...rest] = args;
  const child = spawn(process.execPath, [join(ROOT, path), ...rest], {
    cwd: ROOT,
    detached: true,
    env: { ...process.env, ANTHROPIC_API_KEY: "", ...env, TMPDIR: folder },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.end(input);
  let [out, err] = ["", ""];
  const waiting: (() => void)[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
    for (const look of waiting) look();
  });
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const end = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on("close", (code) => resolve({ code, out, err }));
  });
  return {
    child,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (out.includes(text)) resolve();
        };
        waiting.push(look);
        look();
        void end.then(() => reject(new Error(`it ended without ${text}: ${out}${err}`)));
      }),
    interrupt: () => {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGINT");
    },
    end,
    left: async () => (await readdir(folder)).filter((name) => /^(?:patchwright|miniflare)-/.test(name)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
