/**
 * Reads a Responses API request into a turn, or refuses it in the API's words. Every request must carry its whole
 * conversation in `input`, as Codex's do (`store: false`): nothing is stored, so `previous_response_id` is not found.
 */
import { z } from "zod";
import { fail, pass, type Result } from "../../src/lib/result.ts";
import { textOf } from "./content-text.ts";
import { invalidRequest, type OpenaiError } from "./openai-errors.ts";
import type { OfferedTool, Part, TurnMessage, TurnSource } from "./turn.ts";

const Item = z.looseObject({ type: z.string().optional(), role: z.string().optional() });
const Tool = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  parameters: z.unknown().optional(),
  tools: z.array(z.unknown()).optional(),
});
const Request = z.looseObject({
  model: z.string(),
  input: z.union([z.string(), z.array(Item)]),
  instructions: z.string().nullish(),
  tools: z.array(Tool).nullish(),
  tool_choice: z
    .union([z.string(), z.looseObject({ type: z.string(), name: z.string().optional() })])
    .nullish(),
  text: z
    .looseObject({ format: z.looseObject({ type: z.string(), schema: z.unknown().optional() }).nullish() })
    .nullish(),
  max_output_tokens: z.number().nullish(),
  previous_response_id: z.string().nullish(),
  stream: z.boolean().nullish(),
});

export type ResponsesRequest = z.infer<typeof Request>;
type InputItem = z.infer<typeof Item>;

const CALLS: ReadonlySet<string> = new Set(["function_call", "custom_tool_call"]);
const OUTPUTS: ReadonlySet<string> = new Set(["function_call_output", "custom_tool_call_output"]);

export function readResponsesRequest(body: string): Result<ResponsesRequest, OpenaiError> {
  const json = readJson(body);
  if (json === undefined)
    return fail(invalidRequest("We could not parse the JSON body of your request.", null));
  const read = Request.safeParse(json);
  if (!read.success) return fail(describeIssue(read.error, json));
  const { previous_response_id: previous, input } = read.data;
  if (previous != null) {
    return fail(
      invalidRequest(
        `Previous response with id '${previous}' not found.`,
        "previous_response_id",
        "previous_response_not_found",
      ),
    );
  }
  const complaint = typeof input === "string" ? undefined : judgePairs(input);
  return complaint === undefined ? pass(read.data) : fail(invalidRequest(complaint, "input"));
}

/** A turn from a request that was read; `headers` tell which client is asking, and its session. */
export function turnOfResponses(
  request: ResponsesRequest,
  headers: Readonly<Record<string, string>>,
): TurnSource {
  const choice = request.tool_choice ?? "auto";
  const items =
    typeof request.input === "string" ? [{ role: "user", content: request.input }] : request.input;
  const offered = choice === "none" ? [] : offeredIn(request.tools ?? [], items);
  return {
    provider: "openai",
    client: (headers["user-agent"] ?? "").startsWith("codex") ? "codex" : "other",
    model: request.model,
    session: headers["session-id"],
    system: request.instructions ?? "",
    messages: groupMessages(items),
    offered,
    maxTokens: request.max_output_tokens ?? undefined,
    forcedTool:
      choice === "required" ? offered[0]?.name : typeof choice === "object" ? choice.name : undefined,
    answerSchema: request.text?.format?.type === "json_schema" ? request.text.format.schema : undefined,
  };
}

/**
 * The tools of the request, and those that Codex 0.171.0 gives its newer models in an `additional_tools` item of the
 * input instead, there grouped in a namespace.
 */
function offeredIn(tools: readonly unknown[], items: readonly InputItem[]): OfferedTool[] {
  const added = items.flatMap((item) => (item.type === "additional_tools" ? [item["tools"]].flat() : []));
  return [...tools, ...added].flatMap((value): OfferedTool[] => {
    const tool = Tool.safeParse(value).data;
    if (tool === undefined) return [];
    if (tool.tools !== undefined) return offeredIn(tool.tools, []);
    return [{ name: tool.name ?? tool.type, schema: tool.parameters }];
  });
}

/** The API has one flat list of items; what the model put out together becomes one assistant message. */
function groupMessages(items: readonly InputItem[]): TurnMessage[] {
  const messages: { role: TurnMessage["role"]; parts: Part[] }[] = [];
  for (const item of items) {
    const part = partOf(item);
    if (part === undefined) continue;
    const role = roleOf(item);
    const last = messages.at(-1);
    if (role === "assistant" && last?.role === "assistant") last.parts.push(part);
    else messages.push({ role, parts: [part] });
  }
  return messages;
}

function roleOf(item: InputItem): TurnMessage["role"] {
  if (CALLS.has(item.type ?? "") || item.role === "assistant") return "assistant";
  return item.role === "system" || item.role === "developer" ? "system" : "user";
}

/** Undefined for items that carry no text for anyone: reasoning, references, lists of tools. */
function partOf(item: InputItem): Part | undefined {
  const type = item.type ?? "message";
  const id = String(item["call_id"]);
  if (type === "message") return { kind: "text", text: textOf(item["content"]) };
  if (OUTPUTS.has(type)) return { kind: "result", id, text: textOf(item["output"]), isError: false };
  if (type === "function_call") {
    return { kind: "call", id, tool: String(item["name"]), input: readJson(String(item["arguments"])) };
  }
  return type === "custom_tool_call"
    ? { kind: "call", id, tool: String(item["name"]), input: item["input"] }
    : undefined;
}

function judgePairs(items: readonly InputItem[]): string | undefined {
  const asked = new Set<string>();
  const answered = new Set<string>();
  for (const item of items) {
    const id = String(item["call_id"]);
    if (CALLS.has(item.type ?? "")) asked.add(id);
    if (!OUTPUTS.has(item.type ?? "")) continue;
    if (!asked.has(id)) return `No tool call found for function call output with call_id ${id}.`;
    answered.add(id);
  }
  const open = [...asked].find((id) => !answered.has(id));
  return open === undefined ? undefined : `No tool output found for function call ${open}.`;
}

function describeIssue(error: z.ZodError, json: unknown): OpenaiError {
  const path = error.issues[0]?.path ?? [];
  const param = path
    .map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`))
    .join("")
    .replace(/^\./, "");
  const [top = ""] = path;
  const isMissing = path.length === 1 && typeof json === "object" && json !== null && !(top in json);
  return isMissing
    ? invalidRequest(`Missing required parameter: '${param}'.`, param, "missing_required_parameter")
    : invalidRequest(`Invalid type for '${param}'.`, param, "invalid_type");
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
