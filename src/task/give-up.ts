/** The end of a request whose run could not go on: said where people look, and nothing else. */
import type { RequestEnd } from "../domain/request.ts";
import { failed, type Run } from "./run.ts";

/** @param error what the run's last step threw; for the choice of words only, it is not shown */
export async function giveUp(run: Run, error: string): Promise<RequestEnd> {
  const end = failed(error.startsWith("GitHub ") ? "github-unavailable" : "internal");
  await run.status.say({ doing: "giving up" });
  await run.status.finish(end);
  return end;
}
