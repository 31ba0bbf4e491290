/** The real SDK against the local model: what the Worker's own client sees. */
import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { clientOf, converse, MODEL, textOf, tool, withModel } from "./with-model.ts";

const ask = (content: string) => ({
  model: MODEL,
  max_tokens: 1000,
  messages: [{ role: "user" as const, content }],
});

describe("the SDK", () => {
  it("reads the same message streamed and whole", async () => {
    const client = clientOf(await withModel());
    const request = ask("%% say: Zażółć gęślą jaźń 🦊, in more than one piece of a stream");
    const whole = await client.messages.create(request);
    const streamed = await client.messages.stream(request).finalMessage();
    expect(textOf(streamed.content)).toBe("Zażółć gęślą jaźń 🦊, in more than one piece of a stream");
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens);
    expect(whole).toMatchObject({
      type: "message",
      role: "assistant",
      model: MODEL,
      stop_reason: "end_turn",
    });
    expect(whole.id).toMatch(/^msg_01\w{22}$/);
  });

  it("puts a streamed tool call together from its pieces", async () => {
    const client = clientOf(await withModel());
    const code = `return ${JSON.stringify('a long text, so that its JSON comes in pieces: "quoted" and 🦊🦊🦊')};`;
    const message = await client.messages
      .stream({ ...ask(`%% code: ${code}`), tools: [tool("run_code")] })
      .finalMessage();
    expect(message.stop_reason).toBe("tool_use");
    expect(message.content).toEqual([
      expect.objectContaining({
        type: "tool_use",
        name: "run_code",
        input: { code },
        id: expect.stringMatching(/^toolu_01\w{22}$/),
      }),
    ]);
  });

  it("is led through a tools loop, one directive to a turn, and then the model ends", async () => {
    const client = clientOf(await withModel());
    const { calls, last } = await converse(
      client,
      "%% code: return 1\n%% code: return 2\n%% propose: Mend it",
      [tool("run_code"), tool("propose_change")],
      () => "ok",
    );
    expect(calls).toEqual([
      { name: "run_code", input: { code: "return 1" } },
      { name: "run_code", input: { code: "return 2" } },
      { name: "propose_change", input: { title: "Mend it", brief: "Mend it" } },
    ]);
    expect(last.stop_reason).toBe("end_turn");
    expect(textOf(last.content)).not.toBe("");
  });

  it("counts tokens in usage, more for more text, and agrees with count_tokens", async () => {
    const client = clientOf(await withModel());
    const short = await client.messages.create(ask("Hello"));
    const long = await client.messages.create(ask("Hello ".repeat(400)));
    const counted = await client.messages.countTokens({
      model: MODEL,
      messages: [{ role: "user", content: "Hello ".repeat(400) }],
    });
    expect(long.usage.input_tokens).toBeGreaterThan(short.usage.input_tokens + 500);
    expect(Math.abs(counted.input_tokens - long.usage.input_tokens)).toBeLessThan(20);
    expect(short.usage).toMatchObject({ output_tokens: expect.any(Number), cache_read_input_tokens: 0 });
  });

  it("gets a typed error for each status, with the request's id", async () => {
    const client = clientOf(await withModel());
    const errorOf = (status: number) =>
      client.messages.create(ask(`%% fail: ${status}`)).catch((error: unknown) => error);
    expect(await errorOf(529)).toMatchObject({
      status: 529,
      type: "overloaded_error",
      requestID: expect.stringMatching(/^req_01/),
    });
    expect(await errorOf(429)).toBeInstanceOf(Anthropic.RateLimitError);
    expect(await errorOf(500)).toMatchObject({ type: "api_error" });
    expect(await errorOf(400)).toBeInstanceOf(Anthropic.BadRequestError);
  });

  it("is told that its key is wrong, which it sends as a bearer token", async () => {
    const model = await withModel();
    const refused = clientOf(model, { apiKey: "no" }).messages.create(ask("Hello"));
    await expect(refused).rejects.toMatchObject({
      status: 401,
      type: "authentication_error",
      apiMessage: "Invalid bearer token",
    });
    expect(model.requests[0]?.headers["authorization"]).toBe("Bearer no");
  });

  it("retries past a failure that happens once, and not past one that stays", async () => {
    const model = await withModel();
    const client = clientOf(model, { maxRetries: 1 });
    expect(textOf((await client.messages.create(ask("%% fail: 529\n%% say: at last"))).content)).toBe(
      "at last",
    );
    expect(model.requests.map((request) => request.status)).toEqual([529, 200]);
    model.clear();
    await expect(client.messages.create(ask("%% fail: 529 always\n%% say: never"))).rejects.toMatchObject({
      status: 529,
    });
    expect(model.requests.map((request) => request.status)).toEqual([529, 529]);
  });

  it("sees an error inside a stream that began well, and the next try is whole", async () => {
    const client = clientOf(await withModel());
    const request = ask("%% fail: error-event\n%% say: a sentence of some length that is broken off");
    await expect(client.messages.stream(request).finalMessage()).rejects.toMatchObject({
      type: "overloaded_error",
    });
    expect(textOf((await client.messages.stream(request).finalMessage()).content)).toMatch(/broken off$/);
  });

  it("sees a stream that is cut, and an answer that is cut", async () => {
    const client = clientOf(await withModel());
    const streamed = ask("%% fail: cut\n%% say: a sentence of some length");
    await expect(client.messages.stream(streamed).finalMessage()).rejects.toBeInstanceOf(Error);
    expect(textOf((await client.messages.create(streamed)).content)).toBe("a sentence of some length");
    const whole = ask("%% fail: cut\n%% say: another sentence of some length");
    await expect(client.messages.create(whole)).rejects.toBeInstanceOf(Error);
  });

  it("lists the models there are, and is refused any other", async () => {
    const model = await withModel({ models: ["claude-a", "claude-b"] });
    const client = clientOf(model);
    const listed: string[] = [];
    for await (const { id } of client.models.list()) listed.push(id);
    expect(listed).toEqual(["claude-a", "claude-b"]);
    expect(await client.models.retrieve("claude-a")).toMatchObject({ type: "model", id: "claude-a" });
    await expect(client.messages.create(ask("Hello"))).rejects.toMatchObject({
      status: 404,
      apiMessage: `model: ${MODEL}`,
    });
    expect((await client.messages.create({ ...ask("Hello"), model: "claude-b" })).model).toBe("claude-b");
  });

  it("gets a text cut at max_tokens, and is told so", async () => {
    const client = clientOf(await withModel());
    const message = await client.messages.create({
      ...ask("%% say: one two three four five six seven"),
      max_tokens: 2,
    });
    expect(message.stop_reason).toBe("max_tokens");
    expect(textOf(message.content)).toBe("one two ");
  });

  it("gets a call where it forces one, and JSON where it asks for a schema", async () => {
    const client = clientOf(await withModel());
    const judge = tool(
      "judge",
      { verdict: { type: "string", enum: ["yes", "no"] }, why: { type: "string" } },
      ["verdict", "why"],
    );
    const forced = await client.messages.create({
      ...ask("Well?"),
      tools: [judge],
      tool_choice: { type: "tool", name: "judge" },
    });
    expect(forced.content).toMatchObject([
      { type: "tool_use", name: "judge", input: { verdict: "yes", why: expect.any(String) } },
    ]);
    const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
    const shaped = await client.messages.create({
      ...ask("%% say: A title"),
      output_config: { format: { type: "json_schema", schema } },
    });
    expect(JSON.parse(textOf(shaped.content))).toEqual({ title: "A title" });
  });
});
