/** The end of a request whose run could not go on: said where people look, and nothing else. */
import type { RequestEnd } from "../domain/request.ts";
import { isAdmitted } from "./run-request.ts";
import { failed, type Run } from "./run.ts";

/** Whoever was not found to have permission gets no word in public, also when something breaks. */
export async function giveUp(run: Run): Promise<RequestEnd> {
  const end = failed("internal");
  if (isAdmitted(run)) await run.status.finish(end);
  return end;
}
