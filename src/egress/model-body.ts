/**
 * What a container may ask of the model. The provider is an egress channel too: with hosted tools, remote MCP servers
 * or sources given by address, it would fetch and send for whoever asks, and on our account.
 */
import { z } from "zod";
import { fail, pass, type Result } from "../lib/result.ts";
import type { EgressFault } from "./fault.ts";

const Body = z.looseObject({
  model: z.string(),
  messages: z.array(z.unknown()),
  tools: z.array(z.looseObject({ type: z.string().nullish() })).optional(),
  mcp_servers: z.array(z.unknown()).max(0).optional(),
  container: z.null().optional(),
});

/** Tools that the caller runs itself. A tool of any other type is run by the provider. */
const OWN_TOOL = "custom";

/**
 * Judge what a container asks of the model.
 * @param models what the run may use
 * @returns the body to send: written anew from what was judged, since parsers differ over a key that is there twice
 */
export function judgeModelBody(text: string, models: readonly string[]): Result<string, EgressFault> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail({ why: "body-unreadable" });
  }
  const body = Body.safeParse(value);
  if (!body.success) {
    const key = String(body.error.issues[0]?.path[0] ?? "");
    return key === "mcp_servers" || key === "container"
      ? fail({ why: "hosted-tool", tool: key })
      : fail({ why: "body-unreadable" });
  }
  if (!models.includes(body.data.model)) return fail({ why: "model-not-allowed", model: body.data.model });
  const hosted = body.data.tools?.find(({ type }) => type != null && type !== OWN_TOOL);
  if (hosted !== undefined) return fail({ why: "hosted-tool", tool: hosted.type ?? "" });
  if (namesAddress(body.data.messages)) return fail({ why: "hosted-tool", tool: "a source by its address" });
  try {
    return pass(JSON.stringify(value));
  } catch {
    // Nested deeper than can be written again.
    return fail({ why: "body-unreadable" });
  }
}

/** Whether any content block, however deep, is to be fetched by the provider or is a file kept with it. */
function namesAddress(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const [key, inner] of Object.entries(next) as [string, unknown][]) {
      // What a tool of ours was called with is only text to the provider.
      if (key === "input" && "type" in next && next.type === "tool_use") continue;
      if (key === "source" && isElsewhere(inner)) return true;
      open.push(inner);
    }
  }
  return false;
}

function isElsewhere(source: unknown): boolean {
  if (typeof source !== "object" || source === null || !("type" in source)) return false;
  return source.type === "url" || source.type === "file";
}

/** Features that are harmless here; those of hosted tools, files and MCP are left out. */
export function keepBetas(header: string): string {
  return header
    .split(",")
    .map((beta) => beta.trim())
    .filter(
      (beta) => beta !== "" && !/mcp|web-|code-execution|files-api|skills|container|computer/.test(beta),
    )
    .join(",");
}
