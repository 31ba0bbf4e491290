/**
 * A turn's content as the Messages API sends it: one message object, or its stream of events in the order
 * message_start, (content_block_start, ping after the first, deltas, content_block_stop)…, message_delta,
 * message_stop.
 */
import { callId, freshId } from "./ids.ts";
import type { Content } from "./reply.ts";
import { pieces, type StreamEvent } from "./sse.ts";
import { CHARACTERS_PER_TOKEN, countTokens } from "./tokens.ts";

type Block =
  | { readonly type: "text"; readonly text: string; readonly citations: null }
  | {
      readonly type: "tool_use";
      readonly id: string;
      readonly name: string;
      readonly input: unknown;
      readonly caller: { readonly type: "direct" };
    };

type ApiReply = {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly Block[];
  readonly container: null;
  readonly diagnostics: null;
  readonly stop_reason: "end_turn" | "tool_use" | "max_tokens";
  readonly stop_sequence: null;
  readonly stop_details: null;
  readonly usage: ReturnType<typeof usageOf>;
};

const TEXT_PIECE = 24;
const JSON_PIECE = 48;

/** `inputText` is the request's text, for the rough count; `maxTokens` cuts a longer text off as the API does. */
export function messageOf(
  content: Content,
  request: { model: string; inputText: string; maxTokens: number },
): ApiReply {
  const { say, call } = content;
  const limit = request.maxTokens * CHARACTERS_PER_TOKEN;
  const isCut = say !== undefined && say.length > limit;
  const blocks: Block[] = [];
  if (say !== undefined && say !== "")
    blocks.push({ type: "text", text: say.slice(0, limit), citations: null });
  if (call !== undefined && !isCut) {
    blocks.push({
      type: "tool_use",
      id: callId("toolu_01", call.tag),
      name: call.tool,
      input: call.input,
      caller: { type: "direct" },
    });
  }
  return {
    id: freshId("msg_01"),
    type: "message",
    role: "assistant",
    model: request.model,
    content: blocks,
    container: null,
    diagnostics: null,
    stop_reason: isCut ? "max_tokens" : call === undefined ? "end_turn" : "tool_use",
    stop_sequence: null,
    stop_details: null,
    usage: usageOf(
      countTokens(request.inputText),
      Math.max(1, countTokens(JSON.stringify(blocks.map(spoken)))),
    ),
  };
}

export function eventsOf(message: ApiReply): StreamEvent[] {
  const { content, stop_reason, stop_sequence, stop_details, usage } = message;
  const start = { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } };
  const {
    service_tier: _tier,
    inference_geo: _geo,
    cache_creation: _creation,
    speed: _speed,
    ...counts
  } = usage;
  return [
    { type: "message_start", message: start },
    ...content.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { container: null, stop_reason, stop_sequence, stop_details },
      usage: counts,
    },
    { type: "message_stop" },
  ];
}

function blockEvents(block: Block, index: number): StreamEvent[] {
  const ping = index === 0 ? [{ type: "ping" }] : [];
  const opening = block.type === "text" ? { ...block, text: "" } : { ...block, input: {} };
  return [
    { type: "content_block_start", index, content_block: opening },
    ...ping,
    ...deltasOf(block).map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

/** A tool's input comes as pieces of JSON that parse only when joined; the first piece is empty, as the API's is. */
function deltasOf(block: Block): object[] {
  if (block.type === "text")
    return pieces(block.text, TEXT_PIECE).map((text) => ({ type: "text_delta", text }));
  return ["", ...pieces(JSON.stringify(block.input), JSON_PIECE)].map((partial_json) => ({
    type: "input_json_delta",
    partial_json,
  }));
}

function spoken(block: Block): unknown {
  return block.type === "text" ? block.text : [block.name, block.input];
}

function usageOf(inputTokens: number, outputTokens: number) {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: "global",
    speed: null,
  };
}
