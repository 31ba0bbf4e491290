/**
 * What the Messages API refuses beyond types. Wording as the API answers it, seen in public issue reports, e.g.
 * "`tool_use` ids were found without `tool_result` blocks immediately after" and "tools: Tool names must be unique."
 */
import type { ApiBlock, ApiMessage, MessagesRequest } from "./anthropic-request.ts";

/** The first complaint, or undefined for a request that is in order. */
export function judgeMessages(request: MessagesRequest): string | undefined {
  return judgeTools(request) ?? judgeThinking(request) ?? judgeConversation(request.messages);
}

function judgeTools({ tools, tool_choice: choice }: MessagesRequest): string | undefined {
  const names = (tools ?? []).map((tool) => tool.name);
  if (new Set(names).size < names.length) return "tools: Tool names must be unique.";
  for (const [index, tool] of (tools ?? []).entries()) {
    const kind = tool.type == null || tool.type === "custom" ? "custom" : undefined;
    if (kind === undefined) continue;
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(tool.name)) {
      return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`;
    }
    if (tool.input_schema === undefined) return `tools.${index}.custom.input_schema: Field required`;
  }
  if (choice == null) return undefined;
  if (names.length === 0) return "tool_choice: `tool_choice` may only be specified while providing `tools`.";
  if (choice.type !== "tool") return undefined;
  if (choice.name === undefined) return "tool_choice.tool.name: Field required";
  return names.includes(choice.name) ? undefined : `Tool '${choice.name}' not found in provided tools`;
}

function judgeThinking({
  thinking,
  tool_choice: choice,
  max_tokens: maxTokens,
}: MessagesRequest): string | undefined {
  if (thinking == null || thinking.type === "disabled") return undefined;
  if (choice?.type === "any" || choice?.type === "tool") {
    return "Thinking may not be enabled when tool_choice forces tool use.";
  }
  const budget = thinking.budget_tokens ?? 0;
  return maxTokens !== undefined && budget >= maxTokens
    ? "`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation at https://docs.claude.com/en/docs/build-with-claude/extended-thinking#max-tokens-and-context-window-size"
    : undefined;
}

function judgeConversation(messages: readonly ApiMessage[]): string | undefined {
  const [first] = messages;
  if (first === undefined) return "messages: at least one message is required";
  if (first.role === "system") return "messages.0: the first message must use the 'user' role";
  for (const [index, message] of messages.entries()) {
    const complaint =
      judgeContent(message, index, index === messages.length - 1) ?? judgePairs(messages, index);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

function judgeContent(message: ApiMessage, index: number, isLast: boolean): string | undefined {
  const blocks = blocksOf(message);
  if (blocks.length === 0 && !(isLast && message.role === "assistant")) {
    return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
  }
  if (
    blocks.some((block) => block.type === "text" && block["text"] === "" && Array.isArray(message.content))
  ) {
    return "messages: text content blocks must be non-empty";
  }
  for (const [at, block] of blocks.entries()) {
    if (block.type === "tool_use" && message.role !== "assistant") {
      return `messages.${index}: \`tool_use\` blocks can only be in \`assistant\` messages`;
    }
    if (block.type === "tool_result" && message.role !== "user") {
      return `messages.${index}: \`tool_result\` blocks can only be in \`user\` messages`;
    }
    if (block.type === "tool_use" && (typeof block["input"] !== "object" || block["input"] === null)) {
      return `messages.${index}.content.${at}.tool_use.input: Input should be a valid dictionary`;
    }
  }
  return undefined;
}

/**
 * Each call is answered before the assistant's next message, and each answer has its call in the assistant's last.
 * Neighbours of one side count as one message, as the API joins them; reminders of role system stand between freely.
 */
function judgePairs(messages: readonly ApiMessage[], index: number): string | undefined {
  const message = messages[index];
  if (message === undefined || message.role === "system") return undefined;
  if (message.role === "assistant") {
    const answered = idsOf(facingRun(messages.slice(index + 1), true), "tool_result");
    const open = idsOf([message], "tool_use").filter((id) => !answered.includes(id));
    return open.length === 0
      ? undefined
      : `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
  }
  const asked = idsOf(facingRun(messages.slice(0, index).toReversed(), false), "tool_use");
  for (const [at, block] of blocksOf(message).entries()) {
    const id = String(block["tool_use_id"]);
    if (block.type === "tool_result" && !asked.includes(id)) {
      return `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
  }
  return undefined;
}

/** Of the messages that lead away from one of the assistant's (or not), the first run of the other side's. */
function facingRun(away: readonly ApiMessage[], fromAssistant: boolean): readonly ApiMessage[] {
  const isOwn = (message: ApiMessage) => (message.role === "assistant") === fromAssistant;
  const start = away.findIndex((message) => !isOwn(message));
  if (start === -1) return [];
  const run = away.slice(start);
  const end = run.findIndex(isOwn);
  return end === -1 ? run : run.slice(0, end);
}

function blocksOf(message: ApiMessage): readonly ApiBlock[] {
  if (message.content === "") return [];
  return typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
}

function idsOf(messages: readonly ApiMessage[], type: "tool_use" | "tool_result"): string[] {
  const key = type === "tool_use" ? "id" : "tool_use_id";
  const blocks = messages.flatMap((message) => blocksOf(message));
  return blocks.flatMap((block) => (block.type === type ? [String(block[key])] : []));
}
