/** git itself, asked whether it would take a path: in its strictest settings, those of macOS and Windows together. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "vitest";

const run = promisify(execFile);
const EMPTY_BLOB = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "judge-"));
  await run("git", ["init", "-q", folder]);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

export async function gitTakes(path: string): Promise<boolean> {
  const strict = ["-c", "core.protectHFS=true", "-c", "core.protectNTFS=true"];
  const index = { ...process.env, GIT_INDEX_FILE: join(folder, `index-${crypto.randomUUID()}`) };
  const entry = ["update-index", "--add", "--cacheinfo", `100644,${EMPTY_BLOB},${path}`];
  return succeeds("git", ["-C", folder, ...strict, ...entry], index);
}

export async function gitTakesBranch(name: string): Promise<boolean> {
  return succeeds("git", ["check-ref-format", "--branch", name]);
}

async function succeeds(file: string, args: string[], env = process.env): Promise<boolean> {
  try {
    await run(file, args, { env });
    return true;
  } catch {
    return false;
  }
}
