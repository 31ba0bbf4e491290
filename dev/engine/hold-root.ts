/** One engine per folder: a second one would end the first one's containers as leftovers. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Claim `root` for this process. Throws while the process that claimed it last still runs; returns how to let go. */
export function holdRoot(root: string): () => void {
  const file = join(root, "engine.pid");
  const holder = holderOf(file);
  if (holder !== undefined && holder !== process.pid && isAlive(holder)) {
    throw new Error(`${root} is the folder of a local engine that still runs (process ${holder})`);
  }
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

function holderOf(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
