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
  tools: z.array(z.looseObject({ type: z.string().nullish() })).nullish(),
  mcp_servers: z.array(z.unknown()).max(0).nullish(),
  container: z.null().optional(),
  // A conversation that goes on from what the provider kept was not judged here.
  thread: z.null().optional(),
});

/**
 * Keys that would move a request to another model, price, account or workspace. The command lines send some of them by
 * themselves, so they are left out rather than refused.
 */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "fallbacks",
  "fallback_credit_token",
  "speed",
  "service_tier",
  "user_profile_id",
  "workspace_id",
  "billing_policy",
]);

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
    return key === "mcp_servers" || key === "container" || key === "thread"
      ? fail({ why: "hosted-tool", tool: key })
      : fail({ why: "body-unreadable" });
  }
  if (!models.includes(body.data.model)) return fail({ why: "model-not-allowed", model: body.data.model });
  const hosted = body.data.tools?.find(({ type }) => type != null && type !== OWN_TOOL);
  if (hosted !== undefined) return fail({ why: "hosted-tool", tool: hosted.type ?? "" });
  const hidden = hostedIn(value);
  if (hidden !== undefined) return fail({ why: "hosted-tool", tool: hidden });
  const kept = Object.entries(value as object).filter(([name]) => !LEFT_OUT.has(name)) as [string, unknown][];
  try {
    return pass(JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // Nested deeper than can be written again.
    return fail({ why: "body-unreadable" });
  }
}

/**
 * What the provider would run or fetch, wherever it stands: besides `tools`, a message may define a tool, and a block
 * may name an address or a file kept with the provider.
 */
function hostedIn(value: unknown): string | undefined {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const type = "type" in next ? next.type : undefined;
    if (type === "container_upload") return type;
    for (const [key, inner] of Object.entries(next) as [string, unknown][]) {
      // What a tool of ours was called with, and its schema, are only text to the provider.
      if (key === "input" && type === "tool_use") continue;
      if (key === "input_schema") continue;
      if (key === "source" && isElsewhere(inner)) return "a source by its address";
      if (key === "definition" && type === "tool_definition" && !isOwnTool(inner))
        return "a tool defined in a message";
      open.push(inner);
    }
  }
  return undefined;
}

function isOwnTool(definition: unknown): boolean {
  if (typeof definition !== "object" || definition === null) return false;
  const type: unknown = "type" in definition ? definition.type : undefined;
  return type == null || type === OWN_TOOL;
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
      (beta) =>
        beta !== "" &&
        !/mcp|web-|code-execution|files-api|skills|container|computer|inline-tools|advisor|fallback|fast-mode|threads|profile|workspace/.test(
          beta,
        ),
    )
    .join(",");
}
