/** The Responses API on the wire, as Codex speaks it. */
import { describe, expect, it } from "vitest";
import type { LocalModel } from "../../../dev/model/server.ts";
import { eventsOf, KEY, post, withModel } from "./with-model.ts";

const AUTH = { authorization: `Bearer ${KEY}` };
const EXEC = {
  type: "function",
  name: "exec_command",
  parameters: { type: "object", properties: { cmd: { type: "string" } } },
};

function ask(
  model: LocalModel,
  body: Record<string, unknown>,
  headers: Record<string, string> = AUTH,
): Promise<Response> {
  return post(model, "/v1/responses", { model: "gpt-test", store: false, tools: [EXEC], ...body }, headers);
}

const user = (text: string) => ({ type: "message", role: "user", content: [{ type: "input_text", text }] });

describe("the Responses API", () => {
  it("streams a text in the API's order, numbered without a gap", async () => {
    const model = await withModel();
    const { events } = await eventsOf(await ask(model, { input: [user("%% say: short")], stream: true }));
    expect(events.map((event) => event.type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map((event) => event["sequence_number"])).toEqual(events.map((_, index) => index));
    expect(events.at(-1)).toMatchObject({
      response: {
        status: "completed",
        output: [{ type: "message", content: [{ type: "output_text", text: "short" }] }],
        usage: { total_tokens: expect.any(Number) },
      },
    });
  });

  it("leads through calls by their call ids, and says the last word", async () => {
    const model = await withModel();
    const input: object[] = [
      user("<environment_context><cwd>/w</cwd></environment_context>"),
      user("%% bash: ls\n%% write: a.txt <<<x"),
    ];
    const commands: string[] = [];
    for (;;) {
      const reply = await (await ask(model, { input })).json();
      const call = reply.output.find((item: { type: string }) => item.type === "function_call");
      if (call === undefined) {
        expect(reply.output).toMatchObject([{ type: "message", role: "assistant" }]);
        break;
      }
      commands.push(JSON.parse(call.arguments).cmd);
      input.push(call, { type: "function_call_output", call_id: call.call_id, output: "ok" });
    }
    expect(commands).toEqual(["ls", "mkdir -p '/w' && printf '%s' 'x' > '/w/a.txt'"]);
  });

  it("streams a call's arguments in pieces that parse when joined", async () => {
    const model = await withModel();
    const command = "echo one two three four five six seven eight nine ten";
    const { events } = await eventsOf(await ask(model, { input: `%% bash: ${command}`, stream: true }));
    const pieces = events.flatMap((event) =>
      event.type === "response.function_call_arguments.delta" ? [String(event["delta"])] : [],
    );
    expect(pieces.length).toBeGreaterThan(1);
    expect(JSON.parse(pieces.join(""))).toMatchObject({ cmd: command });
  });

  it("ends a failed stream with response.failed, and a cut one with nothing", async () => {
    const model = await withModel();
    const failed = await eventsOf(
      await ask(model, { input: "%% fail: error-event\n%% say: a sentence of some length", stream: true }),
    );
    expect(failed.events.at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "server_error" } },
    });
    const cut = await eventsOf(
      await ask(model, { input: "%% fail: cut\n%% say: a sentence of some length", stream: true }),
    );
    expect(cut.broke).toBe(true);
    expect(cut.events.map((event) => event.type)).not.toContain("response.completed");
  });

  it("refuses in the API's words", async () => {
    const model = await withModel({ models: ["gpt-test"] });
    const errorOf = async (body: Record<string, unknown>) => (await (await ask(model, body)).json()).error;
    expect(await errorOf({ model: undefined, input: "x" })).toMatchObject({
      message: "Missing required parameter: 'model'.",
      code: "missing_required_parameter",
    });
    expect(await errorOf({ model: "gpt-other", input: "x" })).toMatchObject({ code: "model_not_found" });
    const call = { type: "function_call", call_id: "call_1", name: "exec_command", arguments: "{}" };
    expect(await errorOf({ input: [user("x"), call] })).toMatchObject({
      message: "No tool output found for function call call_1.",
      param: "input",
    });
    const output = { type: "function_call_output", call_id: "call_1", output: "" };
    expect(await errorOf({ input: [user("x"), output] })).toMatchObject({
      message: "No tool call found for function call output with call_id call_1.",
    });
    expect(await errorOf({ input: "x", previous_response_id: "resp_1" })).toMatchObject({
      code: "previous_response_not_found",
    });
    expect(await errorOf({ input: "%% fail: 429" })).toMatchObject({ code: "rate_limit_exceeded" });
    const denied = await ask(model, { input: "x" }, { authorization: "Bearer no" });
    expect([denied.status, await denied.json()]).toMatchObject([401, { error: { code: "invalid_api_key" } }]);
  });

  it("lists models in its own shape for whoever asks with a bearer token alone", async () => {
    const model = await withModel({ models: ["gpt-test"] });
    const listed = await fetch(`${model.url}/v1/models`, { headers: AUTH });
    expect(await listed.json()).toMatchObject({
      object: "list",
      data: [{ id: "gpt-test", object: "model" }],
    });
  });
});

describe("Codex's newer models, which get their tools in the input and run commands by a program", () => {
  const added = {
    type: "additional_tools",
    role: "developer",
    tools: [{ type: "namespace", name: "functions", tools: [{ type: "custom", name: "exec" }] }],
  };

  it("are offered the tools in a namespace, and call a custom tool with bare text", async () => {
    const model = await withModel();
    const input = [added, user("%% bash: ls")];
    const { events } = await eventsOf(await ask(model, { tools: undefined, input, stream: true }));
    const pieces = events.flatMap((event) =>
      event.type === "response.custom_tool_call_input.delta" ? [String(event["delta"])] : [],
    );
    expect(pieces.join("")).toMatch(/^const ran = await tools\.exec_command\(\{"cmd":"ls",/);
    expect(events.at(-1)).toMatchObject({
      response: { output: [{ type: "custom_tool_call", name: "exec", input: pieces.join("") }] },
    });
  });

  it("have their answered calls told apart from the ones that are due", async () => {
    const model = await withModel();
    const opening = [added, user("%% bash: ls\n%% say: over")];
    const asked = await (await ask(model, { tools: undefined, input: opening })).json();
    const [call] = asked.output;
    const output = {
      type: "custom_tool_call_output",
      call_id: call.call_id,
      output: [
        { type: "input_text", text: "Output:\n" },
        { type: "input_text", text: "a.txt" },
      ],
    };
    const next = await (await ask(model, { tools: undefined, input: [...opening, call, output] })).json();
    expect(next.output).toMatchObject([{ type: "message", content: [{ text: "over" }] }]);
  });
});
