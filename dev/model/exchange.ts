/** One HTTP exchange and what the protocol files may ask of the server that owns it. */
import type { ServerResponse } from "node:http";
import type { Plan } from "./reply.ts";
import type { TurnSource } from "./turn.ts";

export type Exchange = {
  readonly method: string;
  /** Without the query: clients send `?beta=true`, which changes nothing here. */
  readonly path: string;
  /** Names in lower case, as Node gives them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly response: ServerResponse;
};

export type Provider = {
  readonly keys: readonly string[];
  /** The models that exist; when there are none, every name is a model. */
  readonly models: readonly string[];
  plan(source: TurnSource): Plan;
};

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.statusCode = status;
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}

/** The token of `Authorization: Bearer TOKEN`. */
export function bearerOf(headers: Readonly<Record<string, string>>): string | undefined {
  return /^Bearer\s+(\S+)$/i.exec(headers["authorization"] ?? "")?.[1];
}

export function knowsModel(provider: Provider, model: string): boolean {
  return provider.models.length === 0 || provider.models.includes(model);
}
