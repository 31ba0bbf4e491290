/**
 * The model provider of the local world: one HTTP server on the loopback interface that speaks Anthropic's Messages
 * API and OpenAI's Responses API. It plays a scenario or obeys directives; it holds no conversation, only a record
 * of the requests it got and the count of failures it was told to make.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errorBody, errorOfStatus } from "./anthropic-errors.ts";
import { answerAnthropic } from "./anthropic.ts";
import { bearerOf, sendJson, type Exchange, type Provider } from "./exchange.ts";
import { freshId } from "./ids.ts";
import { answerOpenai } from "./openai.ts";
import { planReply, type Scenario } from "./plan-reply.ts";
import { makeTurn } from "./turn.ts";

export type { Failure, Reply } from "./reply.ts";
export type { Scenario } from "./plan-reply.ts";
export type { ToolResult, Turn, TurnMessage } from "./turn.ts";

export interface LocalModelOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Keys that are accepted, by either provider's header. */
  readonly keys: readonly string[];
  /** Names of the models that exist; left out, every name is one. */
  readonly models?: readonly string[];
  readonly scenario?: Scenario;
  /** Gets one line per answered request; never a key or a prompt. */
  readonly log?: (line: string) => void;
  /** Milliseconds of thought before each turn. */
  readonly delayMs?: number;
}

/** A request as it came, credentials and all: it exists to be searched for what must not be in it. */
export type RecordedRequest = {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The status answered, or 0 while there is none. */
  readonly status: number;
};

export type LocalModel = {
  /** e.g. `http://127.0.0.1:40123`; the Responses API is below `/v1` of it. */
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** Forgets the requests and lets every counted failure happen anew. */
  clear(): void;
  /** Drops open connections too, so that a silent stream does not hold it up. */
  close(): Promise<void>;
};

/** The Messages API's documented limit for a request's body. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export async function startModel(options: LocalModelOptions): Promise<LocalModel> {
  const requests: RecordedRequest[] = [];
  const failCounts = new Map<string, number>();
  const provider: Provider = {
    keys: options.keys,
    models: options.models ?? [],
    plan(source) {
      const plan = planReply(makeTurn(source), options.scenario, failCounts);
      return { ...plan, waitMs: plan.waitMs + (options.delayMs ?? 0) };
    },
  };
  const server = createServer((request, response) => {
    void serve(request, response).catch((error: unknown) => {
      options.log?.(`model: ${request.method} ${request.url} failed: ${String(error)}`);
      response.destroy();
    });
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const entry: RecordedRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: flatten(request),
      body: body ?? "",
      get status() {
        return response.headersSent ? response.statusCode : 0;
      },
    };
    requests.push(entry);
    const { method, path, headers } = entry;
    if (body === undefined) sendJson(response, 413, errorBody(errorOfStatus(413), freshId("req_01")));
    else await route({ method, path: path.replace(/\?.*$/s, ""), headers, body, response }, provider);
    options.log?.(`model: ${method} ${path} ${entry.status}`);
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    requests,
    clear() {
      requests.length = 0;
      failCounts.clear();
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The root answers anyone who asks whether the host is there. `/v1/models` exists in both APIs. */
async function route(exchange: Exchange, provider: Provider): Promise<void> {
  const { path, headers, response } = exchange;
  if (path === "/") return sendJson(response, 200, {});
  const speaksOpenai =
    headers["anthropic-version"] === undefined &&
    headers["x-api-key"] === undefined &&
    bearerOf(headers) !== undefined;
  if (path.startsWith("/v1/responses") || (path.startsWith("/v1/models") && speaksOpenai))
    return answerOpenai(exchange, provider);
  return answerAnthropic(exchange, provider);
}

/** The body as text, or undefined when it is over the limit (it is read to its end all the same). */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    const piece = Buffer.from(chunk);
    bytes += piece.length;
    if (bytes <= MAX_BODY_BYTES) chunks.push(piece);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString("utf8");
}

function flatten(request: IncomingMessage): Record<string, string> {
  const pairs = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value] as const],
  );
  return Object.fromEntries(pairs);
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === "object" && address !== null ? address.port : 0;
}
