/**
 * One line of JSON per piece of work: a static event name, ids, an outcome. This is the only place of ours that
 * writes to the console, and it redacts, so nothing else has to remember to. Bodies, prompts and comments are not logged.
 */
import { redact } from "./redact.ts";

export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

export type Log = {
  /** Work that ended as it should, refusals included. */
  info(event: string, fields?: LogFields): void;
  /** Something a person should look at. */
  error(event: string, fields?: LogFields): void;
};

/**
 * @param secrets exact values that must not appear in any line
 * @param write where lines go; the console unless a test listens
 */
export function createLog(
  secrets: readonly string[],
  write: (line: string, level: "info" | "error") => void = toConsole,
): Log {
  const line = (level: "info" | "error", event: string, fields: LogFields = {}) => {
    write(redact(JSON.stringify({ level, event, ...fields }), secrets), level);
  };
  return {
    info: (event, fields) => line("info", event, fields),
    error: (event, fields) => line("error", event, fields),
  };
}

function toConsole(line: string, level: "info" | "error"): void {
  if (level === "error") console.error(line);
  else console.log(line);
}
