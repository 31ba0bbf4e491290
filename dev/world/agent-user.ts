/**
 * Whom the agent runs as in the local world. Root starts it as a user of its own, as the image does, where that user
 * could read this checkout and the agents' command lines; a checkout in a closed home folder is not opened up for it.
 */
import { realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";

/** A number that no system hands out by itself, so that the user owns nothing here. */
const AGENT = { uid: 61_001, gid: 61_001 } as const;

/** The rights of others: to walk through a folder, to read a file. */
const OTHERS_EXECUTE = 0o001;
const OTHERS_READ = 0o004;

/**
 * @param folders what the agent's processes have to reach
 * @param programs what they have to run
 */
export async function agentUserFor(
  folders: readonly string[],
  programs: readonly string[],
): Promise<typeof AGENT | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const files = await Promise.all(programs.map((program) => realpath(program).catch(() => undefined)));
  for (const file of files) {
    if (file === undefined || !(await allows(file, OTHERS_READ | OTHERS_EXECUTE))) return undefined;
  }
  const starts = [...folders, ...files.map((file) => dirname(file ?? "/"))];
  for (const start of starts) {
    for (let folder = start; ; folder = dirname(folder)) {
      if (!(await allows(folder, OTHERS_EXECUTE))) return undefined;
      if (folder === dirname(folder)) break;
    }
  }
  return AGENT;
}

async function allows(path: string, rights: number): Promise<boolean> {
  return ((await stat(path)).mode & rights) === rights;
}
