/**
 * The conversation with the answering model: turns, programs, and an end with a name. It does no I/O of its own: both
 * ports are journaled by the Task, so a replay takes the same path without asking anyone again.
 */
import type { ContentBlock, MessageParam, ToolResultBlockParam } from "@anthropic-ai/sdk/resources/messages";
import type { ModelFault } from "../model/fault.ts";
import type { ModelTurn } from "../model/anthropic.ts";
import { fail, pass, type Result } from "../lib/result.ts";
import type { ProgramFault, ProgramRan } from "./program.ts";
import { ProposeChange, RunCode, type Proposal } from "./tools.ts";

export type AnswerPorts = {
  /** Turn `n`, counted from 1. */
  turn(n: number, messages: readonly MessageParam[]): Promise<Result<ModelTurn, ModelFault>>;
  /** Program `id`, unique within the request. */
  run(id: string, code: string): Promise<Result<ProgramRan, ProgramFault>>;
};

export type Answered =
  | { readonly kind: "answer"; readonly text: string }
  | { readonly kind: "proposal"; readonly proposal: Proposal; readonly said: string };

export type AnswerFault =
  | { readonly why: "model"; readonly fault: ModelFault }
  | { readonly why: "turn-limit"; readonly turns: number }
  | { readonly why: "nothing-said" }
  | { readonly why: "cut-off" };

/** What came of it, with what was looked at and used. */
export type AnswerEnd = {
  readonly end: Result<Answered, AnswerFault>;
  readonly looked: readonly string[];
  readonly usage: { readonly input: number; readonly output: number; readonly turns: number };
};

/** Turns of one answer. Guards money; an answer usually takes two or three. */
export const MAX_TURNS = 16;

/** Calls kept to be shown to people. */
const MAX_LOOKED = 40;

/** Programs of one turn; a model may ask for several at once. */
const MAX_PROGRAMS_PER_TURN = 8;

/**
 * Talk until the model answers or proposes.
 * @param opening the first user message: the thread as data, then what was asked
 */
export async function converse(opening: string, ports: AnswerPorts): Promise<AnswerEnd> {
  const messages: MessageParam[] = [{ role: "user", content: opening }];
  const looked: string[] = [];
  const usage = { input: 0, output: 0, turns: 0 };
  const done = (end: AnswerEnd["end"]): AnswerEnd => ({ end, looked, usage });
  for (let n = 1; n <= MAX_TURNS; n++) {
    const turn = await ports.turn(n, messages);
    if (!turn.ok) return done(fail({ why: "model", fault: turn.fault }));
    usage.turns = n;
    usage.input += turn.value.usage.input_tokens;
    usage.output += turn.value.usage.output_tokens;
    const said = textOf(turn.value.content);
    const calls = turn.value.content.filter((block) => block.type === "tool_use");
    const cutOff = turn.value.stop_reason === "max_tokens";
    if (calls.length === 0) {
      if (cutOff) return done(fail({ why: "cut-off" }));
      if (said === "") return done(fail({ why: "nothing-said" }));
      return done(pass({ kind: "answer", text: said }));
    }
    messages.push({ role: "assistant", content: turn.value.content });
    const results: ToolResultBlockParam[] = [];
    for (const [index, call] of calls.entries()) {
      if (cutOff) {
        results.push({ type: "tool_result", tool_use_id: call.id, ...wrong("cut off; write less at once") });
        continue;
      }
      const proposal = call.name === "propose_change" ? ProposeChange.safeParse(call.input) : undefined;
      if (proposal?.success) return done(pass({ kind: "proposal", proposal: proposal.data, said }));
      const result = await obey(call, index, n, ports, looked);
      results.push({ type: "tool_result", tool_use_id: call.id, ...result });
    }
    messages.push({ role: "user", content: results });
  }
  return done(fail({ why: "turn-limit", turns: MAX_TURNS }));
}

type ToolUse = Extract<ContentBlock, { type: "tool_use" }>;

async function obey(
  call: ToolUse,
  index: number,
  turn: number,
  ports: AnswerPorts,
  looked: string[],
): Promise<{ content: string; is_error?: true }> {
  if (index >= MAX_PROGRAMS_PER_TURN) return wrong(`at most ${MAX_PROGRAMS_PER_TURN} programs per turn`);
  if (call.name === "propose_change")
    return wrong("propose_change takes a title and a brief, both not empty");
  if (call.name !== "run_code") return wrong(`there is no tool ${call.name}`);
  const input = RunCode.safeParse(call.input);
  if (!input.success) return wrong("run_code takes { code }, a text of at most 50,000 characters");
  const ran = await ports.run(`${turn}.${index + 1}`, input.data.code);
  looked.push(...(ran.ok ? ran.value.calls : ran.fault.calls).slice(0, MAX_LOOKED - looked.length));
  return ran.ok ? { content: ran.value.result } : wrong(`${ran.fault.why}: ${ran.fault.detail}`);
}

function wrong(text: string): { content: string; is_error: true } {
  return { content: text, is_error: true };
}

function textOf(content: readonly ContentBlock[]): string {
  return content
    .flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n")
    .trim();
}
