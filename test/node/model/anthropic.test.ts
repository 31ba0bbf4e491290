import { describe, expect, it } from "vitest";
import { askModel, type TurnRequest } from "../../../src/model/anthropic.ts";
import { isTransient, type ModelFault } from "../../../src/model/fault.ts";
import { KEY, MODEL, withModel } from "../dev-model/with-model.ts";

function asking(text: string, signal = new AbortController().signal): TurnRequest {
  const messages = [{ role: "user", content: text }] as const;
  return { system: "Be short.", messages, tools: [], maxTokens: 1_000, signal };
}

async function ask(text: string, settings: { apiKey?: string; model?: string } = {}, models?: string[]) {
  const model = await withModel(models === undefined ? {} : { models });
  const turn = await askModel({ apiKey: KEY, baseUrl: model.url, model: MODEL, ...settings }, asking(text));
  return { turn, requests: model.requests };
}

describe("one turn of the model", () => {
  it("is what it said, why it stopped, and what it used", async () => {
    const { turn } = await ask("%% say: hello");
    expect(turn).toMatchObject({
      ok: true,
      value: { content: [{ type: "text", text: "hello" }], stop_reason: "end_turn" },
    });
    expect(turn.ok && turn.value.usage.input_tokens).toBeGreaterThan(0);
  });

  it("is streamed, with the instructions marked for the provider's cache", async () => {
    const { requests } = await ask("%% say: hello");
    const sent: unknown = JSON.parse(requests[0]?.body ?? "");
    expect(sent).toMatchObject({
      model: MODEL,
      stream: true,
      system: [{ type: "text", text: "Be short.", cache_control: { type: "ephemeral" } }],
    });
  });

  it("has one request where all is well, and is tried again within where it is not", async () => {
    expect((await ask("%% say: hello")).requests).toHaveLength(1);
    const overloaded = await ask("%% fail: 529\n%% say: hello");
    expect(overloaded.turn.ok).toBe(true);
    expect(overloaded.requests.map(({ status }) => status)).toEqual([529, 200]);
  });
});

describe("a turn that fails", () => {
  it.each([
    ["429 always", "overloaded", 429, 2],
    ["529 always", "overloaded", 529, 2],
    ["500 always", "unavailable", 500, 2],
    ["503 always", "unavailable", 503, 2],
    ["400 always", "rejected-request", 400, 1],
    ["413 always", "rejected-request", 413, 1],
    ["401 always", "rejected-key", 401, 1],
    ["403 always", "rejected-key", 403, 1],
  ])("with %s is %s, after the tries that can help", async (how, why, status, tries) => {
    const { turn, requests } = await ask(`%% fail: ${how}`);
    expect(turn).toMatchObject({ ok: false, fault: { why, status } });
    expect(requests).toHaveLength(tries);
  });

  it.each([
    ["an error inside a stream that began well", "error-event", "overloaded"],
    ["a stream that breaks off", "cut", "unavailable"],
  ])("by %s is named, too", async (_, how, why) => {
    const { turn } = await ask(`%% fail: ${how} always\n%% say: hello hello hello`);
    expect(turn).toMatchObject({ ok: false, fault: { why } });
  });

  it("by a key that is not taken says so, and does not say the key", async () => {
    const { turn } = await ask("hello", { apiKey: "sk-not-this-one-0123456789" });
    expect(turn).toMatchObject({ ok: false, fault: { why: "rejected-key", status: 401 } });
    expect(JSON.stringify(turn)).not.toContain("sk-not-this-one");
  });

  it("by a model that does not exist is the request's fault", async () => {
    const { turn } = await ask("hello", { model: "claude-0" }, [MODEL]);
    expect(turn).toMatchObject({ ok: false, fault: { why: "rejected-request", status: 404 } });
  });

  it("because whoever waits for it has stopped is unavailable, and no request is sent", async () => {
    const model = await withModel({});
    const settings = { apiKey: KEY, baseUrl: model.url, model: MODEL };
    expect(await askModel(settings, asking("hello", AbortSignal.abort()))).toMatchObject({
      ok: false,
      fault: { why: "unavailable", status: 0 },
    });
    expect(model.requests).toEqual([]);
  });

  it("because nobody listens is unavailable", async () => {
    const settings = { apiKey: KEY, baseUrl: "http://127.0.0.1:1", model: MODEL };
    expect(await askModel(settings, asking("hello"))).toMatchObject({
      ok: false,
      fault: { why: "unavailable", status: 0 },
    });
  });
});

describe("a fault of the model", () => {
  it.each<[ModelFault["why"], boolean]>([
    ["overloaded", true],
    ["unavailable", true],
    ["rejected-key", false],
    ["rejected-request", false],
  ])("%s can pass: %s", (why, transient) => {
    expect(isTransient({ why, status: 0, detail: "" })).toBe(transient);
  });
});
