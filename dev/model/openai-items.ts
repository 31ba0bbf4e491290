/** The items of a response: a message, a function call, or a custom tool's call, and the events that stream each. */
import { callId, freshHexId } from "./ids.ts";
import type { Content } from "./reply.ts";
import { pieces, type StreamEvent } from "./sse.ts";

type MessageItem = {
  readonly id: string;
  readonly type: "message";
  readonly status: "completed";
  readonly role: "assistant";
  readonly content: readonly [ReturnType<typeof textPart>];
};
type CallFields = {
  readonly id: string;
  readonly status: "completed";
  readonly call_id: string;
  readonly name: string;
};
type FunctionCall = CallFields & { readonly type: "function_call"; readonly arguments: string };
/** A custom tool takes bare text: a program, a patch. */
type CustomCall = CallFields & { readonly type: "custom_tool_call"; readonly input: string };
export type Item = MessageItem | FunctionCall | CustomCall;

const PIECE = 32;

export function itemsOf({ say, call }: Content): Item[] {
  const items: Item[] = [];
  if (say !== undefined && say !== "") {
    items.push({
      id: freshHexId("msg_"),
      type: "message",
      status: "completed",
      role: "assistant",
      content: [textPart(say)],
    });
  }
  if (call !== undefined) {
    const fields = { status: "completed", call_id: callId("call_", call.tag), name: call.tool } as const;
    items.push(
      typeof call.input === "string"
        ? { id: freshHexId("ctc_"), type: "custom_tool_call", ...fields, input: call.input }
        : { id: freshHexId("fc_"), type: "function_call", ...fields, arguments: JSON.stringify(call.input) },
    );
  }
  return items;
}

/** From `response.output_item.added` to `response.output_item.done`. */
export function itemEvents(item: Item, output_index: number): StreamEvent[] {
  return [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, status: "in_progress", ...emptied(item) },
    },
    ...fillingEvents(item, output_index),
    { type: "response.output_item.done", output_index, item },
  ];
}

function emptied(item: Item): object {
  if (item.type === "message") return { content: [] };
  return item.type === "function_call" ? { arguments: "" } : { input: "" };
}

function fillingEvents(item: Item, output_index: number): StreamEvent[] {
  const at = { item_id: item.id, output_index };
  if (item.type === "function_call") {
    const name = "response.function_call_arguments";
    const deltas = pieces(item.arguments, PIECE).map((delta) => ({ type: `${name}.delta`, ...at, delta }));
    return [...deltas, { type: `${name}.done`, ...at, name: item.name, arguments: item.arguments }];
  }
  if (item.type === "custom_tool_call") {
    const name = "response.custom_tool_call_input";
    const deltas = pieces(item.input, PIECE).map((delta) => ({ type: `${name}.delta`, ...at, delta }));
    return [...deltas, { type: `${name}.done`, ...at, input: item.input }];
  }
  const [part] = item.content;
  const within = { ...at, content_index: 0 };
  const name = "response.output_text";
  const deltas = pieces(part.text, PIECE).map((delta) => ({
    type: `${name}.delta`,
    ...within,
    delta,
    logprobs: [],
  }));
  return [
    { type: "response.content_part.added", ...within, part: textPart("") },
    ...deltas,
    { type: `${name}.done`, ...within, text: part.text, logprobs: [] },
    { type: "response.content_part.done", ...within, part },
  ];
}

function textPart(text: string) {
  return { type: "output_text", annotations: [], logprobs: [], text };
}
