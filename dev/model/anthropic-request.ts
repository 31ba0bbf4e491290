/**
 * Reads a Messages API request into a turn, or refuses it as the API does: the field's path, a colon, what is wrong.
 * It checks what a client of ours could get wrong; content kinds it has no use for (images, documents) pass unread.
 */
import { z } from "zod";
import { fail, pass, type Result } from "../../src/lib/result.ts";
import { invalidRequest, type AnthropicError } from "./anthropic-errors.ts";
import { judgeMessages } from "./anthropic-rules.ts";
import { textOf } from "./content-text.ts";
import type { Part, TurnSource } from "./turn.ts";

const Block = z.looseObject({ type: z.string("Field required") });
const Content = z.union([z.string(), z.array(Block)], "Input should be a valid string or list");
const Message = z.looseObject({
  role: z.enum(["user", "assistant", "system"], "Input should be 'user' or 'assistant'"),
  content: Content,
});
const Tool = z.looseObject({
  name: z.string("Field required"),
  type: z.string().nullish(),
  input_schema: z.unknown().optional(),
});
const ToolChoice = z.looseObject({
  type: z.enum(["auto", "any", "tool", "none"], "Input should be 'auto', 'any', 'tool' or 'none'"),
  name: z.string().optional(),
});

const CountRequest = z.looseObject({
  model: z.string("Field required").min(1, "String should have at least 1 character"),
  messages: z.array(Message, "Field required"),
  system: z.union([z.string(), z.array(Block)], "Input should be a valid string or list").nullish(),
  tools: z.array(Tool, "Input should be a valid list").nullish(),
  tool_choice: ToolChoice.nullish(),
  thinking: z.looseObject({ type: z.string(), budget_tokens: z.number().optional() }).nullish(),
  metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
  output_config: z
    .looseObject({ format: z.looseObject({ schema: z.unknown().optional() }).nullish() })
    .nullish(),
});
const MessagesRequest = CountRequest.extend({
  max_tokens: z.int("Field required").min(1, "Input should be greater than or equal to 1"),
  stream: z.boolean("Input should be a valid boolean").nullish(),
});

export type MessagesRequest = z.infer<typeof CountRequest> & {
  max_tokens?: number;
  stream?: boolean | null | undefined;
};
export type ApiBlock = z.infer<typeof Block>;
export type ApiMessage = z.infer<typeof Message>;

/** `count` reads the body of count_tokens, which has neither `max_tokens` nor `stream`. */
export function readMessagesRequest(
  body: string,
  endpoint: "create" | "count",
): Result<MessagesRequest, AnthropicError> {
  const json = readJson(body);
  if (json === undefined) return fail(invalidRequest("The request body is not valid JSON"));
  const read = (endpoint === "create" ? MessagesRequest : CountRequest).safeParse(json);
  if (!read.success) return fail(invalidRequest(describeIssue(read.error)));
  const complaint = judgeMessages(read.data);
  return complaint === undefined ? pass(read.data) : fail(invalidRequest(complaint));
}

/** A turn from a request that was read; `headers` tell which client is asking. */
export function turnOfMessages(
  request: MessagesRequest,
  headers: Readonly<Record<string, string>>,
): TurnSource {
  const choice = request.tool_choice ?? undefined;
  const offered = choice?.type === "none" ? [] : (request.tools ?? []);
  const isClaudeCode = (headers["user-agent"] ?? "").startsWith("claude-cli/");
  return {
    provider: "anthropic",
    client: isClaudeCode ? "claude-code" : "other",
    model: request.model,
    // Claude Code 2.1.332 writes its session into this field; for anyone else it names a user, not a session.
    session: isClaudeCode ? (request.metadata?.user_id ?? undefined) : undefined,
    system: textOf(request.system ?? ""),
    messages: request.messages.map(({ role, content }) => ({ role, parts: partsOf(content) })),
    offered: offered.map((tool) => ({ name: tool.name, schema: tool.input_schema })),
    maxTokens: request.max_tokens,
    forcedTool: choice?.type === "tool" ? choice.name : choice?.type === "any" ? offered[0]?.name : undefined,
    answerSchema: request.output_config?.format?.schema,
  };
}

function partsOf(content: string | readonly ApiBlock[]): Part[] {
  if (typeof content === "string") return [{ kind: "text", text: content }];
  return content.flatMap((block): Part[] => {
    switch (block.type) {
      case "text":
        return [{ kind: "text", text: typeof block["text"] === "string" ? block["text"] : "" }];
      case "tool_use":
        return [
          { kind: "call", id: String(block["id"]), tool: String(block["name"]), input: block["input"] },
        ];
      case "tool_result":
        return [
          {
            kind: "result",
            id: String(block["tool_use_id"]),
            text: textOf(block["content"] ?? ""),
            isError: block["is_error"] === true,
          },
        ];
      default:
        return [];
    }
  });
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** e.g. `max_tokens: Field required`, `messages.0.role: Input should be …`: the first alone, as the API does. */
function describeIssue(error: z.ZodError): string {
  const [first] = error.issues;
  if (first === undefined) return "Invalid request";
  return `${first.path.length === 0 ? "body" : first.path.join(".")}: ${first.message}`;
}
