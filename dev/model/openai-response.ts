/**
 * A turn's content as the Responses API sends it: one response object, or its stream of numbered events in the order
 * response.created, response.in_progress, the items one after the other, then response.completed.
 */
import { freshHexId } from "./ids.ts";
import { itemEvents, itemsOf } from "./openai-items.ts";
import type { Content } from "./reply.ts";
import type { StreamEvent } from "./sse.ts";
import { countTokens } from "./tokens.ts";

type ApiResponse = ReturnType<typeof responseOf>;

/** `inputText` is the request's text, for the rough count of tokens. */
export function responseOf(content: Content, request: { model: string; inputText: string }) {
  const output = itemsOf(content);
  const inputTokens = countTokens(request.inputText);
  const outputTokens = Math.max(1, countTokens(JSON.stringify(output)));
  return {
    id: freshHexId("resp_"),
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: "completed",
    error: null,
    incomplete_details: null,
    instructions: null,
    model: request.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    store: false,
    tool_choice: "auto",
    tools: [],
    usage: {
      input_tokens: inputTokens,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: outputTokens,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: inputTokens + outputTokens,
    },
    metadata: {},
  };
}

export function eventsOf(response: ApiResponse): StreamEvent[] {
  const started = { ...response, status: "in_progress", output: [], usage: null };
  const events: StreamEvent[] = [
    { type: "response.created", response: started },
    { type: "response.in_progress", response: started },
    ...response.output.flatMap(itemEvents),
    { type: "response.completed", response },
  ];
  return events.map((event, number) => ({ ...event, sequence_number: number }));
}

/** The end of a stream whose model failed: a `response.failed` in place of `response.completed`. */
export function failedEvent(response: ApiResponse): StreamEvent {
  const message = "The server had an error processing your request. Sorry about that!";
  const failed = {
    ...response,
    status: "failed",
    error: { code: "server_error", message },
    output: [],
    usage: null,
  };
  return { type: "response.failed", sequence_number: eventsOf(response).length, response: failed };
}
