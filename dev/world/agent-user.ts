/**
 * Whom the agent runs as in the local world. Root starts it as a user of its own, as the image does, where that user
 * could read this checkout and the agents' command lines; a checkout in a closed home folder is not opened up for it.
 */
import { stat } from "node:fs/promises";
import { dirname } from "node:path";

/** A number that no system hands out by itself, so that the user owns nothing here. */
const AGENT = { uid: 61_001, gid: 61_001 } as const;

/** Execute for others: the right to walk through a folder. */
const OTHERS_EXECUTE = 0o001;

/** @param paths what the agent's processes have to reach */
export async function agentUserFor(paths: readonly string[]): Promise<typeof AGENT | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const path of paths) {
    for (let folder = path; ; folder = dirname(folder)) {
      const { mode } = await stat(folder);
      if ((mode & OTHERS_EXECUTE) === 0) return undefined;
      if (folder === dirname(folder)) break;
    }
  }
  return AGENT;
}
