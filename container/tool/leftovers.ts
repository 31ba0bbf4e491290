/**
 * Ending what a command leaves behind. A process group is not enough: coding agents put each shell command in a
 * session of its own, and a test may start a server that outlives it. On Linux a process also shows the environment
 * it was started with, so a random word in there finds all of a command's descendants that did not hide on purpose.
 * Hiding only prolongs a process's life inside its own container.
 */
import { readFileSync, readdirSync } from "node:fs";

/** The environment variable that carries the word. */
export const MARK = "PATCHWRIGHT_RUN";

/** Send `signal` to a process group. A group that is gone is fine. */
export function signalGroup(leader: number | undefined, signal: NodeJS.Signals): void {
  if (leader === undefined || leader <= 1) return;
  try {
    process.kill(-leader, signal);
  } catch {
    // ESRCH: nothing of the group is left.
  }
}

/** Kill every process whose environment holds `NAME=word`. Does nothing where there is no /proc. */
export function killMarked(name: string, word: string): number {
  const wanted = Buffer.from(`${name}=${word}`);
  let killed = 0;
  for (const entry of processes()) {
    if (entry === process.pid || !environmentHolds(entry, wanted)) continue;
    try {
      process.kill(entry, "SIGKILL");
      killed += 1;
    } catch {
      // It ended between the two looks.
    }
  }
  return killed;
}

function processes(): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && pid > 1);
  } catch {
    return [];
  }
}

function environmentHolds(pid: number, wanted: Buffer): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    return `\0${environment.toString("latin1")}\0`.includes(`\0${wanted.toString("latin1")}\0`);
  } catch {
    return false;
  }
}
