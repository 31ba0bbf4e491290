import type { ContentBlock } from "@anthropic-ai/sdk/resources/messages";
import { describe, expect, it } from "vitest";
import { converse, MAX_TURNS, type AnswerPorts } from "../../src/answer/loop.ts";
import type { ModelTurn } from "../../src/model/anthropic.ts";

type Block = { text: string } | { tool: string; input: unknown };

let ids = 0;

/** A turn as the provider sends it. */
function turnOf(blocks: readonly Block[], stop?: ModelTurn["stop_reason"]): ModelTurn {
  const content = blocks.map((block) =>
    "text" in block
      ? { type: "text", text: block.text, citations: null }
      : { type: "tool_use", id: `toolu_${++ids}`, name: block.tool, input: block.input },
  );
  const called = blocks.some((block) => "tool" in block);
  return {
    content: content as unknown as ContentBlock[],
    stop_reason: stop ?? (called ? "tool_use" : "end_turn"),
    usage: { input_tokens: 10, output_tokens: 3 } as ModelTurn["usage"],
  };
}

/** Plays turns in order, the last one again and again, and keeps what the model was told. */
function play(turns: readonly (ModelTurn | "overloaded")[], run?: AnswerPorts["run"]) {
  const ran: [string, string][] = [];
  const told: string[] = [];
  const ports: AnswerPorts = {
    turn: async (n, messages) => {
      told.push(JSON.stringify(messages.at(-1)));
      const turn = turns[Math.min(n, turns.length) - 1];
      if (turn === undefined || turn === "overloaded") {
        return { ok: false, fault: { why: "overloaded", status: 529, detail: "" } };
      }
      return { ok: true, value: turn };
    },
    run: async (id, code) => {
      ran.push([id, code]);
      return run ? run(id, code) : { ok: true, value: { result: `ran ${code}`, calls: [`search(${code})`] } };
    },
  };
  return { ended: converse("why?", ports), ran, told };
}

const code = (text: string): Block => ({ tool: "run_code", input: { code: text } });
const propose = (input: unknown): Block => ({ tool: "propose_change", input });

describe("a conversation with the answering model", () => {
  it("ends with what it says", async () => {
    const { ended, ran } = play([turnOf([{ text: "In a.ts." }, { text: "Line 3.  " }])]);
    expect(await ended).toEqual({
      end: { ok: true, value: { kind: "answer", text: "In a.ts.\nLine 3." } },
      looked: [],
      usage: { input: 10, output: 3, turns: 1 },
    });
    expect(ran).toEqual([]);
  });

  it("runs its programs in order, each under an id of its own, and answers all of them at once", async () => {
    const first = turnOf([{ text: "Let me look." }, code("a"), code("b")]);
    const { ended, ran, told } = play([first, turnOf([code("c")]), turnOf([{ text: "Done." }])]);
    expect(await ended).toMatchObject({
      end: { ok: true, value: { kind: "answer", text: "Done." } },
      looked: ["search(a)", "search(b)", "search(c)"],
      usage: { input: 30, output: 9, turns: 3 },
    });
    expect(ran).toEqual([
      ["1.1", "a"],
      ["1.2", "b"],
      ["2.1", "c"],
    ]);
    const results: unknown = JSON.parse(told[1] ?? "");
    const uses = first.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    expect(results).toEqual({
      role: "user",
      content: [
        { type: "tool_result", tool_use_id: uses[0], content: "ran a" },
        { type: "tool_result", tool_use_id: uses[1], content: "ran b" },
      ],
    });
  });

  it("tells it what went wrong in its program, and goes on", async () => {
    const fault = { why: "threw", detail: "TypeError: x", calls: ["readFile(x)"] } as const;
    const { ended, told } = play([turnOf([code("x")]), turnOf([{ text: "Sorry." }])], async () => ({
      ok: false,
      fault,
    }));
    expect(await ended).toMatchObject({ end: { ok: true }, looked: ["readFile(x)"] });
    expect(told[1]).toContain('"content":"threw: TypeError: x","is_error":true');
  });

  it("ends with its proposal; what else was asked for in that turn is not run behind it", async () => {
    const proposal = { title: " Count months from one ", brief: "March is off by one." };
    const { ended, ran } = play([turnOf([{ text: "I will." }, propose(proposal), code("a")])]);
    expect(await ended).toMatchObject({
      end: {
        ok: true,
        value: {
          kind: "proposal",
          proposal: { title: "Count months from one", brief: "March is off by one." },
          said: "I will.",
        },
      },
    });
    expect(ran).toEqual([]);
  });

  it.each<[string, Block, string]>([
    ["a proposal without a brief", propose({ title: "a" }), "takes a title and a brief"],
    ["a proposal of blanks", propose({ title: " ", brief: " " }), "takes a title and a brief"],
    [
      "a proposal with a title too long",
      propose({ title: "a".repeat(201), brief: "b" }),
      "takes a title and a brief",
    ],
    ["a program that is no text", { tool: "run_code", input: { code: 1 } }, "run_code takes"],
    ["a program that is empty", code(""), "run_code takes"],
    ["a program too long", code("x".repeat(50_001)), "run_code takes"],
    ["no input at all", { tool: "run_code", input: null }, "run_code takes"],
    ["a tool that is not there", { tool: "bash", input: { command: "ls" } }, "there is no tool bash"],
    ["a tool of every object", { tool: "constructor", input: {} }, "there is no tool constructor"],
  ])("answers %s with what is wrong, and runs nothing", async (_, block, said) => {
    const { ended, ran, told } = play([turnOf([block]), turnOf([{ text: "Then not." }])]);
    expect(await ended).toMatchObject({ end: { ok: true, value: { text: "Then not." } } });
    expect(told[1]).toContain(said);
    expect(told[1]).toContain('"is_error":true');
    expect(ran).toEqual([]);
  });

  it.each<[string, Block]>([
    ["a program", code("repo.sea")],
    ["a proposal", propose({ title: "Count months from one", brief: "March is" })],
    ["a tool that is not there", { tool: "bash", input: {} }],
  ])("does not obey %s that was cut off, says so, and goes on", async (_, block) => {
    const cut = turnOf([{ text: "I will." }, block], "max_tokens");
    const { ended, ran, told } = play([cut, turnOf([{ text: "Shorter, then." }])]);
    expect(await ended).toMatchObject({
      end: { ok: true, value: { kind: "answer", text: "Shorter, then." } },
    });
    expect(ran).toEqual([]);
    const uses = cut.content.flatMap((each) => (each.type === "tool_use" ? [each.id] : []));
    expect(JSON.parse(told[1] ?? "")).toEqual({
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: uses[0],
          content: "cut off; write less at once",
          is_error: true,
        },
      ],
    });
  });

  it("keeps forty calls to be shown, however many were made", async () => {
    const calls = Array.from({ length: 30 }, (_, n) => `readFile(${n})`);
    const turns = [turnOf([code("a"), code("b"), code("c")]), turnOf([{ text: "ok" }])];
    const { ended } = play(turns, async () => ({ ok: true, value: { result: "", calls } }));
    expect((await ended).looked).toEqual([...calls, ...calls.slice(0, 10)]);
  });

  it("runs eight programs of a turn, and answers the ninth without running it", async () => {
    const nine = Array.from({ length: 9 }, (_, n) => code(`p${n}`));
    const { ended, ran, told } = play([turnOf(nine), turnOf([{ text: "ok" }])]);
    await ended;
    expect(ran).toHaveLength(8);
    expect(told[1]?.match(/tool_result/g)).toHaveLength(9);
    expect(told[1]).toContain("at most 8 programs per turn");
  });

  it("may take as many turns as it is given, and not one more", async () => {
    const looks = Array.from({ length: MAX_TURNS - 1 }, () => turnOf([code("a")]));
    expect((await play([...looks, turnOf([{ text: "found" }])]).ended).end.ok).toBe(true);
    const { ended, told } = play([turnOf([code("a")])]);
    expect((await ended).end).toEqual({ ok: false, fault: { why: "turn-limit", turns: MAX_TURNS } });
    expect(told).toHaveLength(MAX_TURNS);
  });

  it.each([
    ["nothing", [], "end_turn", "nothing-said"],
    ["blanks", [{ text: " \n" }], "end_turn", "nothing-said"],
    ["half of it", [{ text: "In a" }], "max_tokens", "cut-off"],
    ["nothing, for want of tokens", [], "max_tokens", "cut-off"],
  ] as const)("that says %s ends with a name, not as an answer", async (_, blocks, stop, why) => {
    expect((await play([turnOf(blocks, stop)]).ended).end).toEqual({ ok: false, fault: { why } });
  });

  it("ends with the model's fault, and keeps what was looked at until then", async () => {
    expect(await play([turnOf([code("a")]), "overloaded"]).ended).toMatchObject({
      end: { ok: false, fault: { why: "model", fault: { why: "overloaded" } } },
      looked: ["search(a)"],
      usage: { turns: 1 },
    });
  });
});
