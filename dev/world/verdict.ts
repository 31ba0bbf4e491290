/** The Worker's log lines that answer "why did nothing happen?", in words. */
import { z } from "zod";

const Line = z.looseObject({
  level: z.enum(["info", "error"]),
  event: z.string(),
  because: z.string().optional(),
  why: z.string().optional(),
  setting: z.string().optional(),
  state: z.string().optional(),
  name: z.string().optional(),
  /** Ends in the thread's number. */
  task: z.string().optional(),
  error: z.string().optional(),
});

/**
 * @param line what the Worker printed: a line of its log (src/lib/log.ts), or anything
 * @returns one line for a person; undefined for lines that are no verdict
 */
export function verdictIn(line: string): string | undefined {
  const read = Line.safeParse(parse(line));
  if (!read.success) return undefined;
  const { level, event, because, why, setting, state, name, task, error } = read.data;
  const reason = [because, why, setting, error].filter((part) => part !== undefined).join(", ");
  const tail = reason === "" ? "" : ` because ${reason}`;
  if (event === "webhook.ignored") return `worker: the ${name} delivery is ignored${tail}`;
  if (event === "webhook.refused") return `worker: a delivery is refused${tail}`;
  if (event === "request.ended")
    return `worker: the request on #${task?.split(":").at(-1)} ended: ${state}${tail}`;
  return level === "error" ? `worker: ${event}${tail}` : undefined;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
