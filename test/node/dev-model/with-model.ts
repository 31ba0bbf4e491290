/** A model for one test: started on a free port, closed when the test is over. */
import Anthropic from "@anthropic-ai/sdk";
import type { ContentBlock, Message, MessageParam, Tool } from "@anthropic-ai/sdk/resources/messages";
import { onTestFinished } from "vitest";
import { startModel, type LocalModel, type LocalModelOptions } from "../../../dev/model/server.ts";

export const KEY = "test-key";
export const MODEL = "claude-test-1";

export async function withModel(options: Partial<LocalModelOptions> = {}): Promise<LocalModel> {
  const model = await startModel({ keys: [KEY], ...options });
  onTestFinished(() => model.close());
  return model;
}

export function clientOf(
  model: LocalModel,
  options: { maxRetries?: number; apiKey?: string } = {},
): Anthropic {
  return new Anthropic({ baseURL: model.url, apiKey: KEY, maxRetries: 0, logLevel: "off", ...options });
}

export function tool(name: string, properties: Record<string, unknown> = {}, required: string[] = []): Tool {
  return { name, input_schema: { type: "object", properties, required } };
}

export type Outcome = { readonly name: string; readonly input: unknown };

/** Asks, answers each call by `answer`, and goes on until the model ends its turn. */
export async function converse(
  client: Anthropic,
  opening: string,
  tools: Tool[],
  answer: (call: Outcome) => string | Promise<string>,
): Promise<{ messages: MessageParam[]; calls: Outcome[]; last: Message }> {
  const messages: MessageParam[] = [{ role: "user", content: opening }];
  const calls: Outcome[] = [];
  for (let turn = 0; turn < 20; turn++) {
    const last = await client.messages.create({ model: MODEL, max_tokens: 1000, messages, tools });
    messages.push({ role: "assistant", content: last.content });
    if (last.stop_reason !== "tool_use") return { messages, calls, last };
    const made = last.content.filter((block) => block.type === "tool_use");
    calls.push(...made.map(({ name, input }) => ({ name, input })));
    const results = await Promise.all(
      made.map(async (call) => ({
        type: "tool_result" as const,
        tool_use_id: call.id,
        content: await answer(call),
      })),
    );
    messages.push({ role: "user", content: results });
  }
  throw new Error("the model did not end its turn within 20 turns");
}

export function textOf(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** The events of a stream, as far as it came. */
export async function eventsOf(
  response: Response,
): Promise<{ events: { type: string; [field: string]: unknown }[]; broke: boolean }> {
  let text = "";
  let broke = false;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch {
    broke = true;
  }
  const data = text.split("\n\n").flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? []);
  return { events: data.map((line) => JSON.parse(line)), broke };
}

export function post(
  model: LocalModel,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(model.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

/** A text field of a value that came from outside; "" when there is none. */
export function field(value: unknown, name: string): string {
  const found =
    typeof value === "object" && value !== null
      ? Object.entries(value).find(([key]) => key === name)
      : undefined;
  return typeof found?.[1] === "string" ? found[1] : "";
}
