/** The end of a program that did not get to its own: the reason in words, never a stack, and the exit code. */
import { BadOptions } from "./world/read-options.ts";
import { Interrupted } from "./world/take-signals.ts";

/** What a shell expects of an interrupted program. */
const INTERRUPTED = 130;

/** @param what what could not be done */
export function endProgram(thrown: unknown, what: string): void {
  if (thrown instanceof Interrupted) {
    if (!thrown.quietly) console.error(`\n${thrown.message}`);
    // What was under way has lost its world, and is not waited for.
    process.exit(INTERRUPTED);
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof BadOptions && thrown.isHelp) return console.log(message);
  console.error(thrown instanceof BadOptions ? message : `${what}: ${message}`);
  process.exitCode = 1;
}
