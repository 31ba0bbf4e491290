import { describe, expect, it } from "vitest";
import { judgeModelBody, keepBetas } from "../../src/egress/model-body.ts";
import { MAX_MODEL_REQUEST_BYTES, modelRequest } from "../../src/egress/model-route.ts";

const MODELS = ["claude-a", "claude-b"];
const ASKED = { model: "claude-a", max_tokens: 10, messages: [{ role: "user", content: "hi" }] };

const judged = (more: Readonly<Record<string, unknown>>) =>
  judgeModelBody(JSON.stringify({ ...ASKED, ...more }), MODELS);
const hosted = (tool: string) => ({ ok: false, fault: { why: "hosted-tool", tool } });
const UNREADABLE = { ok: false, fault: { why: "body-unreadable" } };

describe("what a run asks of the model", () => {
  it.each<[string, Record<string, unknown>]>([
    ["only words", {}],
    ["the other model it may use", { model: "claude-b" }],
    ["tools that it runs itself", { tools: [{ name: "bash", input_schema: { type: "object" } }] }],
    [
      "tools that say so",
      {
        tools: [
          { type: "custom", name: "bash" },
          { type: null, name: "read" },
        ],
      },
    ],
    ["no tools, servers and container", { tools: [], mcp_servers: [], container: null }],
    ["settings that we do not know", { stream: true, thinking: { type: "adaptive" }, new_one: { a: [1] } }],
    [
      "a picture in the body",
      {
        messages: [
          {
            role: "user",
            content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "" } }],
          },
        ],
      },
    ],
    ["words about sources", { messages: [{ role: "user", content: 'the "source" is {"type":"url"}' }] }],
  ])("passes as it is with %s", (_, more) => {
    expect(judged(more)).toEqual({ ok: true, value: JSON.stringify({ ...ASKED, ...more }) });
  });

  it.each([
    ["another model", "claude-c"],
    ["a model whose name begins the same", "claude-a-1m"],
    ["the model in other letters", "Claude-A"],
    ["no model", ""],
  ])("is refused for %s", (_, model) => {
    expect(judged({ model })).toEqual({ ok: false, fault: { why: "model-not-allowed", model } });
  });

  it.each([
    "web_search_20250305",
    "web_fetch_20250910",
    "code_execution_20250825",
    "mcp_toolset",
    "tool_search_tool_regex_20251119",
    "memory_20250818",
    "bash_20250124",
    "computer_20250124",
    "",
    "Custom",
  ])("is refused with a tool of the provider's, also behind one of its own: %j", (type) => {
    const tools = [
      { name: "a", input_schema: {} },
      { type, name: "b" },
    ];
    expect(judged({ tools })).toEqual(hosted(type));
  });

  it.each<[string, unknown]>([
    ["mcp_servers", [{ type: "url", url: "https://evil.example", name: "x" }]],
    ["mcp_servers", { 0: "x" }],
    ["mcp_servers", "x"],
    ["container", "container_1"],
    ["container", { skills: [{ type: "anthropic", skill_id: "pdf" }] }],
    ["container", {}],
  ])("is refused with %s of %j", (key, value) => {
    expect(judged({ [key]: value })).toEqual(hosted(key));
  });

  const SOURCES = [
    { type: "url", url: "https://evil.example/?secret" },
    { type: "file", file_id: "file_1" },
  ];
  const places: [string, (source: unknown) => unknown][] = [
    ["a picture", (source) => [{ type: "image", source }]],
    ["a document", (source) => [{ type: "document", source }]],
    ["a tool's result", (source) => [{ type: "tool_result", content: [{ type: "image", source }] }]],
    [
      "a document made of blocks",
      (source) => [{ type: "document", source: { type: "content", content: [{ type: "image", source }] } }],
    ],
    [
      "a hundred blocks in each other",
      (source) =>
        Array.from({ length: 100 }).reduce((inner) => [{ content: inner }], [{ source }] as unknown),
    ],
  ];
  it.each(places.flatMap(([where, place]) => SOURCES.map((source) => [where, source.type, place(source)])))(
    "is refused with what the provider would fetch: in %s, by %s",
    (_, __, content) => {
      expect(judged({ messages: [ASKED.messages[0], { role: "user", content }] })).toEqual(
        hosted("a source by its address"),
      );
    },
  );

  it.each([
    "",
    "{",
    "null",
    "[]",
    '"text"',
    "model=claude-a&messages=",
    JSON.stringify({ messages: [] }),
    JSON.stringify({ model: "claude-a" }),
    JSON.stringify({ ...ASKED, model: ["claude-a"] }),
    JSON.stringify({ ...ASKED, messages: { 0: "x" } }),
    JSON.stringify({ ...ASKED, tools: { 0: { type: "web_search_20250305" } } }),
    JSON.stringify({ ...ASKED, tools: [{ type: ["web_search_20250305"] }] }),
    JSON.stringify({ ...ASKED, tools: ["web_search_20250305"] }),
  ])("is refused where it is not what the provider takes: %s", (text) => {
    expect(judgeModelBody(text, MODELS)).toEqual(UNREADABLE);
  });

  it("is sent as it was judged: of a key that is there twice, one is left", () => {
    const twice = `{"tools":[{"type":"web_search_20250305"}],"model":"claude-c",${JSON.stringify({ ...ASKED, tools: [] }).slice(1)}`;
    const passed = judgeModelBody(twice, MODELS);
    expect(passed.ok && passed.value).not.toMatch(/web_search|claude-c/);
    expect(passed.ok && JSON.parse(passed.value)).toEqual({ ...ASKED, tools: [] });
  });

  it("is judged however deep it is, without a throw", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const text = JSON.stringify({ ...ASKED, messages: ["here"] }).replace('"here"', deep);
    const passed = judgeModelBody(text, MODELS);
    expect(passed.ok ? passed.value.length : passed.fault.why).toBe(text.length);
  });
});

describe("a feature header", () => {
  it.each([
    [
      "claude-code-20250219,interleaved-thinking-2025-05-14",
      "claude-code-20250219,interleaved-thinking-2025-05-14",
    ],
    [" context-1m-2025-08-07 ,, mcp-client-2025-11-20", "context-1m-2025-08-07"],
    ["web-fetch-2025-09-10,web-search-2025-03-05", ""],
    ["code-execution-2025-08-25,files-api-2025-04-14,skills-2025-10-02", ""],
    ["computer-use-2025-01-24", ""],
    ["", ""],
  ])("%j keeps %j", (header, kept) => {
    expect(keepBetas(header)).toBe(kept);
  });

  it.each([
    ["mcp-client-2025-11-20", null],
    ["mcp-client-2025-11-20, context-1m-2025-08-07", "context-1m-2025-08-07"],
  ])("of a request, %j, goes on as %j", async (header, sent) => {
    const request = new Request("http://model.internal/v1/messages", {
      method: "POST",
      headers: { "anthropic-beta": header },
      body: JSON.stringify(ASKED),
    });
    const upstream = { baseUrl: "https://provider.example", apiKey: "operators-key", models: MODELS };
    const forwarded = await modelRequest(request, upstream);
    expect(forwarded.ok && forwarded.value.headers.get("anthropic-beta")).toBe(sent);
  });
});

describe("a request that does not declare how long it is", () => {
  const upstream = { baseUrl: "https://provider.example", apiKey: "operators-key", models: MODELS };
  const CHUNK = new Uint8Array(1024 * 1024).fill(0x20);

  /** Spaces, then what is asked, in chunks: it counts how many were taken from it. */
  function chunked(chunks: number) {
    const taken = { chunks: 0 };
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (taken.chunks++ < chunks) return controller.enqueue(CHUNK);
        controller.enqueue(new TextEncoder().encode(JSON.stringify(ASKED)));
        controller.close();
      },
    });
    return { taken, request: new Request("http://model.internal/v1/messages", { method: "POST", body }) };
  }

  it("passes where it stays below the cap", async () => {
    const forwarded = await modelRequest(chunked(2).request, upstream);
    expect(forwarded.ok && (await forwarded.value.text())).toBe(JSON.stringify(ASKED));
  });

  it("is ended where it grows past it, and not read to its end", async () => {
    const most = MAX_MODEL_REQUEST_BYTES / CHUNK.length;
    const { taken, request } = chunked(most * 4);
    expect(await modelRequest(request, upstream)).toEqual({
      ok: false,
      fault: { why: "body-too-large", limit: MAX_MODEL_REQUEST_BYTES },
    });
    expect(taken.chunks).toBeLessThan(most * 2);
  });

  it("is refused where it has no body at all", async () => {
    const request = new Request("http://model.internal/v1/messages", { method: "POST" });
    expect(await modelRequest(request, upstream)).toEqual(UNREADABLE);
  });
});
