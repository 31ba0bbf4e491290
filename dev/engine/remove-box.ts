/** Ending a container's last processes and removing its folder. */
import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { killMarked } from "../../container/tool/leftovers.ts";
import { CONTAINER_MARK } from "./environment.ts";

/** Holds the container's mark, so that the next engine can end what a killed engine left running. */
export const MARK_FILE = "mark";

/** A process may start another while we look; after this many looks it is hiding on purpose. */
const LOOKS = 5;

/** End every process that carries `mark`, then remove `folder`. */
export async function removeBox(folder: string, mark: string | undefined): Promise<void> {
  if (mark !== undefined) await endMarked(mark);
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // A folder without the right to write keeps what it holds from a user who is not root.
    await new Promise((resolve) =>
      spawn("chmod", ["-R", "u+rwX", folder], { stdio: "ignore" }).on("close", resolve),
    );
    await rm(folder, { recursive: true, force: true });
  }
}

async function endMarked(mark: string): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    if (killMarked(CONTAINER_MARK, mark) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Remove all that an earlier engine left under `root`, and end its processes. */
export async function removeEarlier(root: string): Promise<void> {
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const folder = join(root, entry.name);
    let mark: string | undefined;
    try {
      mark = readFileSync(join(folder, MARK_FILE), "utf8");
    } catch {
      // Not one of ours: a folder without a mark is left alone.
      continue;
    }
    await removeBox(folder, mark);
  }
}
