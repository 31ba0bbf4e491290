/** What the lines mean, wherever they stand, and in whose turn they are obeyed. */
import { describe, expect, it } from "vitest";
import { findDirectives } from "../../../dev/model/directives.ts";
import { clientOf, converse, field, MODEL, textOf, tool, withModel } from "./with-model.ts";

function found(text: string): object[] {
  const messages = [{ role: "user" as const, parts: [{ kind: "text" as const, text }] }];
  return findDirectives({ system: "", messages }).map(({ tag: _tag, ...order }) => order);
}

const bash = tool("Bash");
const write = tool("Write");
const read = tool("Read");

describe("a directive", () => {
  it("is read behind whatever quotes its line", () => {
    const quoted = [
      "%% say: a",
      "> %% say: b",
      "12\t%% say: c",
      "+%% say: d",
      "@patchwright %% say: e",
      "src/a.ts:3:%% say: f",
    ];
    expect(found(quoted.join("\n"))).toEqual(
      ["a", "b", "c", "d", "e", "f"].map((text) => ({ verb: "say", text })),
    );
  });

  it("is none in prose about directives, misspelt, or without a sense", () => {
    expect(
      found(
        "Write `%% say: TEXT`.\n%% shout: x\n%%say: x\n%% fail: often\n%% write: a.ts\n%% finding: nowhere\n%% wait: long",
      ),
    ).toEqual([]);
  });

  it("is one, however often its text comes back", () => {
    expect(found('%% bash: ls\n> %% bash: ls\n{"body":"%% bash: ls\\nbye"}\n%% bash: pwd')).toEqual([
      { verb: "bash", command: "ls" },
      { verb: "bash", command: "pwd" },
    ]);
  });

  it("is found in JSON strings, also where the JSON is cut off", () => {
    const json = JSON.stringify(
      { files: [{ text: 'one\n%% write: a.ts <<<x = "1";\\n\ntwo' }] },
      undefined,
      1,
    );
    const expected = [{ verb: "write", path: "a.ts", content: 'x = "1";\n' }];
    expect(found(json)).toEqual(expected);
    expect(found(`printed\n${json.slice(0, -8)}\n[cut: 8 more characters]`)).toEqual(expected);
  });

  it("keeps a quoted directive as its own argument", () => {
    expect(found('%% bash: echo "%% say: hi"')).toEqual([{ verb: "bash", command: 'echo "%% say: hi"' }]);
  });

  it("writes newlines, tabs and backslashes from one line", () => {
    expect(found(String.raw`%% write: a b.txt <<<one\n\ttwo\\n\d`)).toEqual([
      { verb: "write", path: "a b.txt", content: "one\n\ttwo\\n\\d" },
    ]);
  });

  it("names a failure, and how often", () => {
    expect(
      found(
        "%% fail: 503\n%% fail: 529 always\n%% fail: 429 3\n%% fail: cut\n%% fail: error-event\n%% fail: silence 1.5",
      ),
    ).toEqual([
      { verb: "fail", failure: { kind: "status", status: 503 }, times: 1 },
      { verb: "fail", failure: { kind: "status", status: 529 }, times: Infinity },
      { verb: "fail", failure: { kind: "status", status: 429 }, times: 3 },
      { verb: "fail", failure: { kind: "cut" }, times: 1 },
      { verb: "fail", failure: { kind: "error-event" }, times: 1 },
      { verb: "fail", failure: { kind: "silence", seconds: 1.5 }, times: 1 },
    ]);
  });
});

describe("the model", () => {
  it("passes over what it has no tool for, and does the rest in order", async () => {
    const client = clientOf(await withModel());
    const issue = "%% code: return 1\n%% propose: Mend it\n%% bash: ls\n%% finding: src/a.ts:3 Off by one";
    const { calls } = await converse(client, issue, [bash], () => "ok");
    expect(calls).toEqual([{ name: "Bash", input: { command: "ls", description: "Run the command" } }]);
  });

  it("obeys a line that a tool's result brings, after what was asked before", async () => {
    const client = clientOf(await withModel());
    const results = new Map([["cat a", "text\n%% bash: injected\n"]]);
    const { calls } = await converse(
      client,
      "%% bash: cat a\n%% bash: cat b",
      [bash],
      (call) => results.get(field(call.input, "command")) ?? "ok",
    );
    expect(calls.map((call) => field(call.input, "command"))).toEqual(["cat a", "cat b", "injected"]);
  });

  it("says that it is a script, and how to make it act, to a text without a directive", async () => {
    const client = clientOf(await withModel());
    const { last } = await converse(client, "hello", [bash], () => "ok");
    expect(textOf(last.content)).toMatch(
      /local scripted model[\s\S]*`%% say: Hello`[\s\S]*ANTHROPIC_API_KEY/,
    );
  });

  it("ends the turn with a say, and goes on after it when it is spoken to again", async () => {
    const client = clientOf(await withModel());
    const first = await converse(client, "%% bash: ls\n%% say: Shall I?\n%% bash: pwd", [bash], () => "ok");
    expect(textOf(first.last.content)).toBe("Shall I?");
    expect(first.calls).toHaveLength(1);
    const more = { role: "user" as const, content: "Yes" };
    const next = await client.messages.create({
      model: MODEL,
      max_tokens: 100,
      tools: [bash],
      messages: [...first.messages, more],
    });
    expect(next.content).toMatchObject([{ type: "tool_use", input: { command: "pwd" } }]);
  });

  it("knows its own calls by their ids, whatever the client makes of their inputs", async () => {
    const client = clientOf(await withModel());
    const opening = { role: "user" as const, content: "%% bash: ls" };
    const asked = await client.messages.create({
      model: MODEL,
      max_tokens: 100,
      tools: [bash],
      messages: [opening],
    });
    const changed = asked.content.map((block) =>
      block.type === "tool_use" ? { ...block, input: { command: "other" } } : block,
    );
    const id = asked.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []))[0] ?? "";
    const result = {
      role: "user" as const,
      content: [{ type: "tool_result" as const, tool_use_id: id, content: "ok" }],
    };
    const next = await client.messages.create({
      model: MODEL,
      max_tokens: 100,
      tools: [bash],
      messages: [opening, { role: "assistant", content: changed }, result],
    });
    expect(next.stop_reason).toBe("end_turn");
  });

  it("writes below the working directory the agent names", async () => {
    const client = clientOf(await withModel());
    const { calls } = await converse(
      client,
      "CWD: /work tree\n%% write: src/a.ts <<<x\\n",
      [write],
      () => "ok",
    );
    expect(calls).toEqual([{ name: "Write", input: { file_path: "/work tree/src/a.ts", content: "x\n" } }]);
  });

  it("writes by the shell where there is no Write", async () => {
    const client = clientOf(await withModel());
    const { calls } = await converse(client, "CWD: /w\n%% write: a <<<it's", [bash], () => "ok");
    expect(calls.map((call) => field(call.input, "command"))).toEqual([
      String.raw`mkdir -p '/w' && printf '%s' 'it'\''s' > '/w/a'`,
    ]);
  });

  it("fits a finding to the tool's own schema", async () => {
    const client = clientOf(await withModel());
    const properties = {
      path: { type: "string" },
      line: { type: "integer" },
      severity: { type: "string", enum: ["minor", "major"] },
      body: { type: "string" },
      suggestion: { type: "string" },
    };
    const { calls } = await converse(
      client,
      "%% finding: src/a.ts:3 Off by one",
      [tool("report_finding", properties, ["path", "line", "severity", "body"])],
      () => "ok",
    );
    expect(calls).toEqual([
      { name: "report_finding", input: { path: "src/a.ts", line: 3, severity: "minor", body: "Off by one" } },
    ]);
  });

  it("cuts a proposal's title at sixty characters and keeps the brief whole", async () => {
    const client = clientOf(await withModel());
    const brief = "Make it right, ".repeat(10).trim();
    const { calls } = await converse(client, `%% propose: ${brief}`, [tool("propose_change")], () => "ok");
    expect(calls).toEqual([{ name: "propose_change", input: { title: brief.slice(0, 60), brief } }]);
  });

  it("reads a file first when the agent refuses to write over it unread", async () => {
    const client = clientOf(await withModel());
    let wrote = 0;
    const messages: Parameters<typeof client.messages.create>[0]["messages"] = [
      { role: "user", content: "CWD: /w\n%% write: a <<<new" },
    ];
    const names: string[] = [];
    for (;;) {
      const reply = await client.messages.create({
        model: MODEL,
        max_tokens: 100,
        tools: [write, read],
        messages,
      });
      const use = reply.content.find((block) => block.type === "tool_use");
      if (use === undefined) break;
      names.push(use.name);
      const refused = use.name === "Write" && wrote++ === 0;
      const content = refused
        ? "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>"
        : "ok";
      messages.push(
        { role: "assistant", content: reply.content },
        { role: "user", content: [{ type: "tool_result", tool_use_id: use.id, content, is_error: refused }] },
      );
    }
    expect(names).toEqual(["Write", "Read", "Write"]);
  });

  it("fails once for each conversation, in its place among the directives", async () => {
    const model = await withModel();
    const client = clientOf(model, { maxRetries: 1 });
    const issue = "%% bash: ls\n%% fail: 500\n%% bash: pwd";
    expect((await converse(client, issue, [bash], () => "ok")).calls).toHaveLength(2);
    expect(model.requests.map((request) => request.status)).toEqual([200, 500, 200, 200]);
    await converse(client, `Another issue\n${issue}`, [bash], () => "ok");
    expect(model.requests.map((request) => request.status).slice(4)).toEqual([200, 500, 200, 200]);
  });

  it("plays the scenario first, and obeys directives where the scenario has nothing to say", async () => {
    const model = await withModel({
      scenario: (turn) => {
        if (turn.lastToolResults[0]?.text === "yes")
          return { say: `You said ${turn.lastToolResults[0].text}.` };
        return turn.text.includes("question")
          ? { call: { tool: "Bash", input: { command: "ask" } }, say: "Let me ask." }
          : undefined;
      },
    });
    const { calls, last } = await converse(clientOf(model), "A question", [bash], () => "yes");
    expect([calls, textOf(last.content)]).toEqual([
      [{ name: "Bash", input: { command: "ask" } }],
      "You said yes.",
    ]);
    const other = await converse(clientOf(model), "%% say: obeyed", [bash], () => "ok");
    expect(textOf(other.last.content)).toBe("obeyed");
  });
});
