/** One number for how a process ended. */
import { constants } from "node:os";

/** The exit code, or 128 + n for signal n, as shells and container engines report it. */
export function exitCodeOf(code: number | null, signal: NodeJS.Signals | null): number {
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

/** The name of signal number `signo`, or undefined when there is none. */
export function signalNamed(signo: unknown): NodeJS.Signals | undefined {
  const names = Object.keys(constants.signals).filter(
    (name): name is NodeJS.Signals => name in constants.signals,
  );
  return names.find((name) => constants.signals[name] === signo);
}
