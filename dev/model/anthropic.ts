/** The Messages API's routes: POST /v1/messages and /v1/messages/count_tokens, GET /v1/models and /v1/models/{id}. */
import { errorBody, errorOfStatus, invalidRequest, type AnthropicError } from "./anthropic-errors.ts";
import { eventsOf, messageOf } from "./anthropic-message.ts";
import { readMessagesRequest, turnOfMessages, type MessagesRequest } from "./anthropic-request.ts";
import { bearerOf, knowsModel, sendJson, type Exchange, type Provider } from "./exchange.ts";
import { freshId } from "./ids.ts";
import { cutJson, pause, sendStream } from "./sse.ts";
import { countTokens } from "./tokens.ts";

export async function answerAnthropic(exchange: Exchange, provider: Provider): Promise<void> {
  const { response } = exchange;
  const requestId = freshId("req_01");
  response.setHeader("request-id", requestId);
  const refuse = (error: AnthropicError): void => {
    if (error.status === 429) response.setHeader("retry-after", "1");
    sendJson(response, error.status, errorBody(error, requestId));
  };
  const denied = checkKey(exchange, provider.keys);
  if (denied !== undefined) return refuse(denied);
  if (exchange.path === "/v1/models" || exchange.path.startsWith("/v1/models/")) {
    const models = describeModels(exchange.path, provider.models);
    return "status" in models ? refuse(models) : sendJson(response, 200, models);
  }
  const counting = exchange.path === "/v1/messages/count_tokens";
  if (!counting && exchange.path !== "/v1/messages") return refuse(errorOfStatus(404));
  if (exchange.method !== "POST") return refuse({ ...errorOfStatus(405), message: "Method Not Allowed" });
  if (exchange.headers["anthropic-version"] === undefined)
    return refuse(invalidRequest("anthropic-version: header is required"));

  const request = readMessagesRequest(exchange.body, counting ? "count" : "create");
  if (!request.ok) return refuse(request.fault);
  if (!knowsModel(provider, request.value.model)) return refuse(unknownModel(request.value.model));
  if (counting) return sendJson(response, 200, { input_tokens: countTokens(exchange.body) });
  return answerMessage(exchange, provider, request.value, refuse, requestId);
}

async function answerMessage(
  exchange: Exchange,
  provider: Provider,
  request: MessagesRequest,
  refuse: (error: AnthropicError) => void,
  requestId: string,
): Promise<void> {
  const { response, body } = exchange;
  const { waitMs, outcome } = provider.plan(turnOfMessages(request, exchange.headers));
  await pause(waitMs, response);
  if (outcome.kind === "status") return refuse(errorOfStatus(outcome.status));
  const message = messageOf(outcome.content, {
    model: request.model,
    inputText: body,
    maxTokens: request.max_tokens ?? 0,
  });
  const overloaded = errorBody(errorOfStatus(529), requestId);
  if (request.stream === true) {
    return sendStream(response, { ...outcome, events: eventsOf(message), errorEvent: overloaded });
  }
  await pause(outcome.silenceMs, response);
  if (outcome.breakage === "error-event") return refuse(errorOfStatus(529));
  if (outcome.breakage === "cut") return cutJson(response, message);
  return sendJson(response, 200, message);
}

/**
 * A key comes as `x-api-key` (Claude Code 2.1.332) or as a bearer token (@anthropic-ai/sdk 1.14.0, also for its
 * `apiKey`); the API words its refusal by the header.
 */
function checkKey({ headers }: Exchange, keys: readonly string[]): AnthropicError | undefined {
  const key = headers["x-api-key"];
  const bearer = bearerOf(headers);
  if (key === undefined && bearer === undefined)
    return { ...errorOfStatus(401), message: "x-api-key header is required" };
  if (keys.includes(key ?? bearer ?? "")) return undefined;
  return key === undefined ? { ...errorOfStatus(401), message: "Invalid bearer token" } : errorOfStatus(401);
}

function describeModels(path: string, models: readonly string[]) {
  const id = decodeURIComponent(path.slice("/v1/models/".length));
  if (id !== "") return models.includes(id) ? describeModel(id) : unknownModel(id);
  return {
    data: models.map(describeModel),
    has_more: false,
    first_id: models.at(0) ?? null,
    last_id: models.at(-1) ?? null,
  };
}

function describeModel(id: string) {
  return { type: "model", id, display_name: id, created_at: "2025-09-29T00:00:00Z" };
}

function unknownModel(model: string): AnthropicError {
  return { ...errorOfStatus(404), message: `model: ${model}` };
}
