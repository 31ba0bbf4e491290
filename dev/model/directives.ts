/**
 * The directives: lines found anywhere in the text a model is given. Whoever can put a line before the model can so
 * make it do anything, which is what a test, or an attacker, wants.
 *
 *     %% say: TEXT                    say it, and end the turn
 *     %% code: JAVASCRIPT             call run_code with { code }
 *     %% propose: BRIEF               call propose_change with { title, brief }
 *     %% finding: PATH:LINE TEXT      call report_finding
 *     %% bash: COMMAND                run it with the coding agent's shell
 *     %% write: PATH <<<CONTENT       write a file; in CONTENT \n is a newline, \t a tab, \\ a backslash
 *     %% fail: HOW                    a status such as 529, cut, error-event, or silence SECONDS; once in a
 *                                     conversation, or with a number or `always` behind it that often
 *     %% wait: MS                     think that long before the next of them
 *
 * They are obeyed in order, one in a turn; then the model ends its turn. One whose tool is not offered is passed
 * over. cut, error-event and silence spoil the turn that comes next.
 * This file reads them; directive-calls.ts turns them into calls and plan-reply.ts decides whose turn it is.
 */
import type { Failure } from "./reply.ts";
import { tagOf } from "./ids.ts";
import { givenTexts, type TurnSource } from "./turn.ts";

type Order =
  | { readonly verb: "say"; readonly text: string }
  | { readonly verb: "code"; readonly code: string }
  | { readonly verb: "propose"; readonly brief: string }
  | { readonly verb: "bash"; readonly command: string }
  | { readonly verb: "write"; readonly path: string; readonly content: string }
  | { readonly verb: "finding"; readonly path: string; readonly line: number; readonly text: string }
  | { readonly verb: "fail"; readonly failure: Failure; readonly times: number }
  | { readonly verb: "wait"; readonly ms: number };

export type Directive = Order & { readonly tag: string };

/**
 * A directive may stand after what quotes it: a label, `> `, a line number, a diff's `+`. Not after a backtick, so
 * that prose about directives is no directive. The rest of the line is the argument.
 */
const LINE = /(?:^|[\s>:|+])%% (say|code|propose|bash|write|finding|fail|wait):[ \t]*(.*)$/;

/** All that can be read, in the order of first occurrence, each text once however often it is quoted. */
export function findDirectives(source: Pick<TurnSource, "system" | "messages">): Directive[] {
  const found = new Map<string, Directive>();
  for (const line of givenTexts(source).flatMap(linesWithin)) {
    const match = LINE.exec(line);
    if (match === null) continue;
    const [, verb = "", rest = ""] = match;
    const argument = rest.trimEnd();
    const written = `${verb}: ${argument}`;
    if (found.has(written)) continue;
    const order = readOrder(verb, argument);
    if (order !== undefined) found.set(written, { ...order, tag: tagOf(written) });
  }
  return [...found.values()];
}

/** A JSON string that stands as a value on its line: what a tool's result quotes text with. */
const JSON_STRING = /(?<=^\s*|[:[,]\s*)"(?:[^"\\\n]|\\.)*"(?=\s*(?:[,\]}]|$))/gm;

/** The lines of a text, and the lines within the JSON strings that stand in it, whether or not the JSON is whole. */
function linesWithin(text: string): string[] {
  if (!text.includes("%% ")) return [];
  return text.split(/\r?\n/).flatMap((line) => {
    if (LINE.test(line)) return [line];
    return [...line.matchAll(JSON_STRING)].flatMap(([literal]) => unquote(literal).split(/\r?\n/));
  });
}

function unquote(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return "";
  }
}

/** Undefined for an argument that cannot be read: such a line is passed over. */
function readOrder(verb: string, argument: string): Order | undefined {
  switch (verb) {
    case "say":
      return { verb, text: argument };
    case "code":
      return { verb, code: argument };
    case "propose":
      return { verb, brief: argument };
    case "bash":
      return { verb, command: argument };
    case "write": {
      const [, path, content] = /^(\S.*?)\s*<<<(.*)$/.exec(argument) ?? [];
      return path === undefined || content === undefined
        ? undefined
        : { verb, path, content: unescapeLine(content) };
    }
    case "finding": {
      const [, path, line, text] = /^(\S+):(\d+)\s+(.*)$/.exec(argument) ?? [];
      return path === undefined || text === undefined ? undefined : { verb, path, line: Number(line), text };
    }
    case "fail":
      return readFail(argument);
    case "wait":
      return /^\d+$/.test(argument) ? { verb, ms: Number(argument) } : undefined;
    default:
      return undefined;
  }
}

/** `STATUS`, `cut`, `error-event` or `silence SECONDS`, then nothing (once), a number of times, or `always`. */
function readFail(argument: string): Order | undefined {
  const match = /^(\d{3}|cut|error-event|silence (\d+(?:\.\d+)?))(?: (\d+|always))?$/.exec(argument);
  if (match === null) return undefined;
  const [, what = "", seconds, repeat] = match;
  const times = repeat === undefined ? 1 : repeat === "always" ? Number.POSITIVE_INFINITY : Number(repeat);
  return { verb: "fail", failure: failureOf(what, Number(seconds)), times };
}

function failureOf(what: string, seconds: number): Failure {
  if (what === "cut" || what === "error-event") return { kind: what };
  if (what.startsWith("silence")) return { kind: "silence", seconds };
  return { kind: "status", status: Number(what) };
}

/** `\n` is a newline, `\t` a tab, `\\` a backslash; any other backslash stands for itself. */
function unescapeLine(text: string): string {
  const meaning: Readonly<Record<string, string>> = { "\\n": "\n", "\\t": "\t", "\\\\": "\\" };
  return text.replace(/\\[nt\\]/g, (pair) => meaning[pair] ?? pair);
}
