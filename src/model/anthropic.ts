/** One turn of a conversation with an Anthropic model. Knows nothing of GitHub. */
import Anthropic, { APIConnectionError, APIError } from "@anthropic-ai/sdk";
import type { Message, MessageParam, Tool } from "@anthropic-ai/sdk/resources/messages";
import { messageOf } from "../lib/errors.ts";
import { fail, pass, type Result } from "../lib/result.ts";
import type { ModelFault } from "./fault.ts";

export type ModelSettings = {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly model: string;
};

export type TurnRequest = {
  readonly system: string;
  readonly messages: readonly MessageParam[];
  readonly tools: readonly Tool[];
  /** Output tokens at most. */
  readonly maxTokens: number;
  /** Ends the turn, whatever the provider does. */
  readonly signal: AbortSignal;
};

export type ModelTurn = Pick<Message, "content" | "stop_reason" | "usage">;

/** Milliseconds one turn may take. */
const TURN_TIMEOUT_MS = 180_000;

/** Retries within one turn. The SDK obeys `retry-after`; longer waits belong to the step that called us. */
const RETRIES = 1;

/** Ask for one turn. Streams, since the provider ends long answers that are not streamed. */
export async function askModel(
  settings: ModelSettings,
  request: TurnRequest,
): Promise<Result<ModelTurn, ModelFault>> {
  const client = new Anthropic({
    apiKey: settings.apiKey,
    baseURL: settings.baseUrl,
    maxRetries: RETRIES,
    timeout: TURN_TIMEOUT_MS,
    logLevel: "off",
  });
  try {
    const message = await client.messages
      .stream(
        {
          model: settings.model,
          max_tokens: request.maxTokens,
          // The instructions and tools are the same in every turn of a request: the provider keeps them.
          system: [{ type: "text", text: request.system, cache_control: { type: "ephemeral" } }],
          messages: [...request.messages],
          tools: [...request.tools],
        },
        // The SDK's own timeout ends with the headers; a stream that goes silent must end as well.
        { signal: AbortSignal.any([request.signal, AbortSignal.timeout(TURN_TIMEOUT_MS)]) },
      )
      .finalMessage();
    return pass({ content: message.content, stop_reason: message.stop_reason, usage: message.usage });
  } catch (thrown) {
    return fail(modelFault(thrown));
  }
}

function modelFault(thrown: unknown): ModelFault {
  const detail = messageOf(thrown).slice(0, 500);
  if (thrown instanceof APIConnectionError) return { why: "unavailable", status: 0, detail };
  if (!(thrown instanceof APIError)) return { why: "unavailable", status: 0, detail };
  const status = typeof thrown.status === "number" ? thrown.status : 0;
  if (status === 401 || status === 403) return { why: "rejected-key", status, detail };
  if (status === 429 || status === 529) return { why: "overloaded", status, detail };
  // An error inside a 200 stream carries no status.
  if (status === 0) return { why: /overloaded/i.test(detail) ? "overloaded" : "unavailable", status, detail };
  return { why: status >= 500 ? "unavailable" : "rejected-request", status, detail };
}
