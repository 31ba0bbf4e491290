/** The Messages API on the wire: what no SDK hides. */
import { describe, expect, it } from "vitest";
import type { LocalModel } from "../../../dev/model/server.ts";
import { eventsOf, field, KEY, MODEL, post, withModel } from "./with-model.ts";

const HEADERS = { "x-api-key": KEY, "anthropic-version": "2023-06-01" };
const hello = { model: MODEL, max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };
const runCode = { name: "run_code", input_schema: { type: "object" } };
const call = {
  role: "assistant",
  content: [{ type: "tool_use", id: "toolu_1", name: "run_code", input: {} }],
};
const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "ok" }] };

function send(
  model: LocalModel,
  body: unknown,
  headers: Record<string, string> = HEADERS,
): Promise<Response> {
  return post(model, "/v1/messages?beta=true", body, headers);
}

describe("a stream", () => {
  it("comes in the API's order, with a ping after the first block's start", async () => {
    const model = await withModel();
    const response = await send(model, {
      ...hello,
      stream: true,
      messages: [{ role: "user", content: "%% say: short" }],
    });
    expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
    expect(response.headers.get("request-id")).toMatch(/^req_01/);
    const { events } = await eventsOf(response);
    expect(events.map((event) => event.type)).toEqual([
      "message_start",
      "content_block_start",
      "ping",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(events[0]).toMatchObject({
      message: { content: [], stop_reason: null, usage: { output_tokens: 1 } },
    });
    expect(events[5]).toMatchObject({
      delta: { stop_reason: "end_turn" },
      usage: { output_tokens: expect.any(Number) },
    });
  });

  it("begins a call's input with an empty piece and ends in JSON", async () => {
    const model = await withModel();
    const messages = [{ role: "user", content: "%% code: return await repo.listFiles({ glob: 'src/**' })" }];
    const { events } = await eventsOf(
      await send(model, { ...hello, messages, tools: [runCode], stream: true }),
    );
    const deltas = events.flatMap((event) => (event.type === "content_block_delta" ? [event["delta"]] : []));
    const input = deltas.map((delta) => field(delta, "partial_json"));
    expect(input[0]).toBe("");
    expect(input.length).toBeGreaterThan(2);
    expect(JSON.parse(input.join(""))).toEqual({ code: "return await repo.listFiles({ glob: 'src/**' })" });
  });

  it("that is told to be cut has no end", async () => {
    const model = await withModel();
    const messages = [{ role: "user", content: "%% fail: cut\n%% say: a sentence of some length" }];
    const { events, broke } = await eventsOf(await send(model, { ...hello, messages, stream: true }));
    expect(broke).toBe(true);
    expect(events[0]?.type).toBe("message_start");
    expect(events.map((event) => event.type)).not.toContain("message_stop");
  });

  it("that is told to be silent has begun, and ends with the connection when the server closes", async () => {
    const model = await withModel();
    const messages = [{ role: "user", content: "%% fail: silence 600\n%% say: too late" }];
    const response = await send(model, { ...hello, messages, stream: true });
    expect(response.status).toBe(200);
    await model.close();
    const { events, broke } = await eventsOf(response);
    expect({ types: events.map((event) => event.type), broke }).toEqual({
      types: ["message_start"],
      broke: true,
    });
  });
});

describe("a request is refused in the API's words", () => {
  const refusals: [claim: string, body: unknown, message: string | RegExp][] = [
    ["without max_tokens", { ...hello, max_tokens: undefined }, "max_tokens: Field required"],
    ["without a model", { ...hello, model: undefined }, "model: Field required"],
    ["without messages", { ...hello, messages: undefined }, "messages: Field required"],
    ["with no message", { ...hello, messages: [] }, "messages: at least one message is required"],
    [
      "with an unknown role",
      { ...hello, messages: [{ role: "tool", content: "x" }] },
      /^messages\.0\.role: Input should be/,
    ],
    [
      "with an empty message",
      { ...hello, messages: [{ role: "user", content: "" }] },
      /^messages\.0: all messages must have non-empty content/,
    ],
    [
      "with an empty text block",
      { ...hello, messages: [{ role: "user", content: [{ type: "text", text: "" }] }] },
      "messages: text content blocks must be non-empty",
    ],
    [
      "with a call left unanswered",
      { ...hello, messages: [...hello.messages, call, { role: "user", content: "And?" }] },
      /^messages\.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1\./,
    ],
    [
      "with an answer to no call",
      { ...hello, messages: [...hello.messages, result] },
      /^messages\.1\.content\.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1\./,
    ],
    [
      "with two tools of one name",
      { ...hello, tools: [runCode, runCode] },
      "tools: Tool names must be unique.",
    ],
    [
      "with a tool without a schema",
      { ...hello, tools: [{ name: "run_code" }] },
      "tools.0.custom.input_schema: Field required",
    ],
    [
      "with a choice of no tool",
      { ...hello, tool_choice: { type: "any" } },
      /`tool_choice` may only be specified while providing `tools`/,
    ],
    [
      "with a choice of an unknown tool",
      { ...hello, tools: [runCode], tool_choice: { type: "tool", name: "x" } },
      "Tool 'x' not found in provided tools",
    ],
    [
      "with a forced call while thinking",
      {
        ...hello,
        tools: [runCode],
        tool_choice: { type: "any" },
        thinking: { type: "enabled", budget_tokens: 10 },
      },
      /^Thinking may not be enabled/,
    ],
    [
      "with all its tokens for thinking",
      { ...hello, thinking: { type: "enabled", budget_tokens: 100 } },
      /^`max_tokens` must be greater than `thinking.budget_tokens`/,
    ],
    ["that is no JSON", "{", /not valid JSON/],
  ];
  it.each(refusals)("%s", async (_claim, body, message) => {
    const model = await withModel();
    const response = await send(model, body);
    const requestId = response.headers.get("request-id");
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      type: "error",
      error: {
        type: "invalid_request_error",
        message: typeof message === "string" ? message : expect.stringMatching(message),
      },
      request_id: requestId,
    });
  });

  it("without a version, without a key or with a wrong one, and off the routes", async () => {
    const model = await withModel();
    expect((await send(model, hello, { "x-api-key": KEY })).status).toBe(400);
    const keyless = await send(model, hello, { "anthropic-version": "2023-06-01" });
    expect([keyless.status, await keyless.json()]).toMatchObject([
      401,
      { error: { message: "x-api-key header is required" } },
    ]);
    const wrong = await send(model, hello, { ...HEADERS, "x-api-key": "no" });
    expect([wrong.status, await wrong.json()]).toMatchObject([
      401,
      { error: { message: "invalid x-api-key" } },
    ]);
    expect((await post(model, "/v1/files", {}, HEADERS)).status).toBe(404);
  });
});

describe("what clients of ours rely on", () => {
  it("takes a system reminder as the last message, also after a tool's result", async () => {
    const model = await withModel();
    const reminder = { role: "system", content: "<system-reminder>Stay on course.</system-reminder>" };
    const messages = [...hello.messages, call, result, reminder];
    expect((await send(model, { ...hello, messages, tools: [runCode] })).status).toBe(200);
  });

  it("takes the answers to two calls in two messages, as the API joins them", async () => {
    const model = await withModel();
    const second = (block: object) => ({
      ...block,
      ...("id" in block ? { id: "toolu_2" } : { tool_use_id: "toolu_2" }),
    });
    const calls = { role: "assistant", content: call.content.flatMap((block) => [block, second(block)]) };
    const messages = [
      ...hello.messages,
      calls,
      result,
      { role: "user", content: result.content.map(second) },
    ];
    expect((await send(model, { ...hello, messages, tools: [runCode] })).status).toBe(200);
  });

  it("answers whoever asks whether it is there", async () => {
    const model = await withModel();
    expect((await fetch(model.url, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(model.url)).status).toBe(200);
  });

  it("keeps every request whole, headers and all, until it is cleared", async () => {
    const model = await withModel();
    await send(model, hello, { ...HEADERS, "x-canary": "yellow" });
    expect(model.requests).toEqual([
      {
        method: "POST",
        path: "/v1/messages?beta=true",
        headers: expect.objectContaining({ "x-canary": "yellow", "x-api-key": KEY }),
        body: JSON.stringify(hello),
        status: 200,
      },
    ]);
    model.clear();
    expect(model.requests).toEqual([]);
  });

  it("answers Claude Code's side requests without spending a directive on them", async () => {
    const model = await withModel();
    const headers = { ...HEADERS, "user-agent": "claude-cli/2.1.332 (external, sdk-cli)" };
    const messages = [{ role: "user", content: "%% fail: 529\n%% bash: rm -rf /" }];
    expect((await send(model, { ...hello, messages }, headers)).status).toBe(200);
    const bash = { name: "Bash", input_schema: { type: "object" } };
    expect((await send(model, { ...hello, messages, tools: [bash], max_tokens: 1 }, headers)).status).toBe(
      200,
    );
    expect((await send(model, { ...hello, messages, tools: [bash] }, headers)).status).toBe(529);
  });
});
