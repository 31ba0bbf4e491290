/** The Responses API's routes: POST /v1/responses, and GET /v1/models in OpenAI's shape. */
import { bearerOf, knowsModel, sendJson, type Exchange, type Provider } from "./exchange.ts";
import { freshHexId } from "./ids.ts";
import { errorBody, errorOfStatus, type OpenaiError } from "./openai-errors.ts";
import { readResponsesRequest, turnOfResponses, type ResponsesRequest } from "./openai-request.ts";
import { eventsOf, failedEvent, responseOf } from "./openai-response.ts";
import { cutJson, pause, sendStream } from "./sse.ts";

export async function answerOpenai(exchange: Exchange, provider: Provider): Promise<void> {
  const { response, path, method } = exchange;
  response.setHeader("x-request-id", freshHexId("req_"));
  const refuse = (error: OpenaiError): void => {
    if (error.status === 429) response.setHeader("retry-after", "1");
    sendJson(response, error.status, errorBody(error));
  };
  const denied = checkKey(exchange, provider.keys);
  if (denied !== undefined) return refuse(denied);
  if (path === "/v1/models" && method === "GET") return sendJson(response, 200, listModels(provider.models));
  if (path !== "/v1/responses" || method !== "POST") {
    return refuse({ ...errorOfStatus(404), message: `Invalid URL (${method} ${path})` });
  }
  const request = readResponsesRequest(exchange.body);
  if (!request.ok) return refuse(request.fault);
  if (!knowsModel(provider, request.value.model)) return refuse(unknownModel(request.value.model));
  return answerResponse(exchange, provider, request.value, refuse);
}

async function answerResponse(
  exchange: Exchange,
  provider: Provider,
  request: ResponsesRequest,
  refuse: (error: OpenaiError) => void,
): Promise<void> {
  const { response, body } = exchange;
  const { waitMs, outcome } = provider.plan(turnOfResponses(request, exchange.headers));
  await pause(waitMs, response);
  if (outcome.kind === "status") return refuse(errorOfStatus(outcome.status));
  const reply = responseOf(outcome.content, { model: request.model, inputText: body });
  if (request.stream === true) {
    return sendStream(response, { ...outcome, events: eventsOf(reply), errorEvent: failedEvent(reply) });
  }
  await pause(outcome.silenceMs, response);
  if (outcome.breakage === "error-event") return refuse(errorOfStatus(500));
  if (outcome.breakage === "cut") return cutJson(response, reply);
  return sendJson(response, 200, reply);
}

function checkKey({ headers }: Exchange, keys: readonly string[]): OpenaiError | undefined {
  const key = bearerOf(headers);
  if (key === undefined) {
    return {
      ...errorOfStatus(401),
      code: null,
      message:
        "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
    };
  }
  return keys.includes(key) ? undefined : errorOfStatus(401);
}

function listModels(models: readonly string[]) {
  return {
    object: "list",
    data: models.map((id) => ({ id, object: "model", created: 1_756_684_800, owned_by: "system" })),
  };
}

function unknownModel(model: string): OpenaiError {
  return {
    status: 404,
    type: "invalid_request_error",
    param: null,
    code: "model_not_found",
    message: `The model \`${model}\` does not exist or you do not have access to it.`,
  };
}
