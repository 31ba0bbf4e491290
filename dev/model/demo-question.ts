/** The demo's question: look once, then answer from the lines that came back. */
import type { IssueText } from "./demo-scenario.ts";
import { lookProgram, placeOf, readLook, type Look } from "./demo-look.ts";
import type { Reply } from "./reply.ts";
import { callsSincePrompt, type Turn } from "./turn.ts";

/** What a line of code does to an accent, told from the code itself. */
const STEPS: readonly { readonly code: RegExp; readonly does: string }[] = [
  { code: /\.normalize\("NFK?D"\)/, does: "takes an accented letter apart into the letter and its accent" },
  { code: /\.replace\(.*(?:\\u0300|\\p\{(?:M|Mark|Mn|Diacritic)\})/, does: "leaves the accents out" },
];

/** The first code word in the issue is the function, the second the input it is about. */
export function answerQuestion(turn: Turn, issue: IssueText): Reply {
  const [name = "", input = ""] = [...issue.body.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? "");
  const looked = callsSincePrompt(turn).find((call) => call.tool === "run_code");
  if (looked === undefined) return { call: { tool: "run_code", input: { code: lookProgram(name) } } };
  const look = readLook(looked.text);
  if (look === undefined) {
    return {
      say: `I looked for \`${name}\` under \`src/\` and did not find it, so I cannot answer from the code.`,
    };
  }
  return { say: [whereItIs(look), whatItDoes(look), ...whatHoldsIt(look, input)].join("\n\n") };
}

function whereItIs(look: Look): string {
  return `\`${look.about}\` is at ${placeOf(look.path, look.line)}.`;
}

function whatItDoes(look: Look): string {
  const steps = look.code.flatMap(({ line, text }) => {
    const step = STEPS.find(({ code }) => code.test(text));
    return step === undefined ? [] : [`- ${placeOf(look.path, line)} \`${text.trim()}\` ${step.does}.`];
  });
  if (steps.length > 0) return ["It takes the accents off:", "", ...steps].join("\n");
  const code = look.code.map(({ text }) => text).join("\n");
  return ["I see no line in it that treats accents. This is all of it:", "", "```ts", code, "```"].join("\n");
}

function whatHoldsIt(look: Look, input: string): string[] {
  const test = look.tests.find(({ text }) => text.includes(input));
  if (test === undefined) return [`I found no test for \`${input}\`.`];
  const quoted = `${placeOf(test.path, test.line)} \`${test.text.trim()}\``;
  const expected = /\),\s*"([^"]*)"/.exec(test.text)?.[1];
  const outcome = expected === undefined ? "" : ` So \`${input}\` becomes \`${expected}\`.`;
  return [`A test holds it: ${quoted}.${outcome}`];
}
