/**
 * The demo's bug. While answering: look, then propose a change. In the coding agent: run the tests, find the
 * function, read its file, mend the line, run the tests again, and report what the two runs printed.
 */
import { posix } from "node:path";
import { lookProgram, placeOf, readLook } from "./demo-look.ts";
import { commandOutput, fileText, readTestRun, tellTestRun, type TestRun } from "./demo-output.ts";
import { quote, shellCall, writeCommand } from "./directive-calls.ts";
import type { Reply } from "./reply.ts";
import { callsSincePrompt, type Turn } from "./turn.ts";

const FUNCTION = "truncate";
const TESTS = "npm test";

export function proposeFix(turn: Turn): Reply {
  const calls = callsSincePrompt(turn);
  const looked = calls.find((call) => call.tool === "run_code");
  if (looked === undefined) return { call: { tool: "run_code", input: { code: lookProgram(FUNCTION) } } };
  const look = readLook(looked.text);
  if (look === undefined) return say(`I looked for \`${FUNCTION}\` under \`src/\` and did not find it.`);
  const place = placeOf(look.path, look.line);
  const cut = look.code.find(({ text }) => text.includes("lastIndexOf"));
  if (cut === undefined)
    return say(`\`${FUNCTION}\` at ${place} looks for no last space. I propose no change.`);
  if (calls.some((call) => call.tool === "propose_change")) return say(`I proposed a change to ${place}.`);
  const brief = [
    `\`${FUNCTION}\` at ${place} goes back to the last space even when the room ends right where a word does,`,
    `and so drops a whole word. See ${placeOf(look.path, cut.line)}: \`${cut.text.trim()}\`.`,
    `Keep the word in that case, change nothing else, and run \`${TESTS}\` before and after.`,
  ].join("\n");
  const title = `Keep the last word that fits in ${FUNCTION}`;
  return { call: { tool: "propose_change", input: { title, brief } } };
}

/** One step for each call that has been answered so far. */
export function fixBug(turn: Turn): Reply {
  const [tested, searched, read, mended, retested] = callsSincePrompt(turn);
  if (tested === undefined) return shell(turn, TESTS, "Run the tests");
  const before = readTestRun(commandOutput(tested.text));
  if (before === undefined) return say(`\`${TESTS}\` ran no test that I can see. I changed nothing.`);
  if (before.failed === 0)
    return say(`\`${TESTS}\`: ${tellTestRun(before)}. Nothing fails, so I changed nothing.`);

  if (searched === undefined)
    return shell(turn, `grep -rn 'export function ${FUNCTION}(' src`, "Find the function");
  const path = /^(src\/[^:\n]+):\d+:/m.exec(commandOutput(searched.text))?.[1];
  if (path === undefined) return say(`I found no \`${FUNCTION}\` under \`src/\`. I changed nothing.`);

  const file = posix.resolve(turn.cwd ?? "/", path);
  if (read === undefined) return readFile(turn, file);
  const text = fileText(read.text, turn.tools.includes("Read"));
  const fix = findFix(text);
  if (fix === undefined) return say(`I did not find the line I expected in \`${path}\`. I changed nothing.`);

  if (mended === undefined) return mend(turn, file, text, fix);
  if (mended.isError) return say(`I could not change \`${path}\`: ${mended.text}`);
  if (retested === undefined) return shell(turn, TESTS, "Run the tests again");
  return say(report(path, before, readTestRun(commandOutput(retested.text))));
}

type Fix = { readonly old: string; readonly new: string };

/**
 * The line that goes back to the last space, and the lines that stand for it. The names are the file's own, so a
 * renamed variable is no obstacle; a changed algorithm is.
 */
function findFix(text: string): Fix | undefined {
  const kept = /const (\w+) = (\w+)\.slice\(0, (\w+)\)/.exec(text);
  const line = /^([ \t]*)const (\w+) = (\w+)\.lastIndexOf\(" "\);$/m.exec(text);
  if (kept === null || line === null || line[3] !== kept[1]) return undefined;
  const [, name, characters, room] = kept;
  const [old, indent, space] = line;
  return {
    old,
    new: [
      `${indent}// The room may end right where a word does: then that word stays.`,
      `${indent}const endsWord = ${characters}[${room}] === " ";`,
      `${indent}const ${space} = endsWord ? ${name}.length : ${name}.lastIndexOf(" ");`,
    ].join("\n"),
  };
}

function mend(turn: Turn, file: string, text: string, fix: Fix): Reply {
  if (turn.tools.includes("Edit")) {
    return { call: { tool: "Edit", input: { file_path: file, old_string: fix.old, new_string: fix.new } } };
  }
  const mended = text.replace(fix.old, () => fix.new);
  return shell(turn, writeCommand(file, mended), "Write the mended file");
}

function readFile(turn: Turn, file: string): Reply {
  if (turn.tools.includes("Read")) return { call: { tool: "Read", input: { file_path: file } } };
  return shell(turn, `cat ${quote(file)}`, "Read the file");
}

function shell(turn: Turn, command: string, description: string): Reply {
  const call = shellCall(turn, command, description);
  return call === undefined ? say("I have no tool to run a command with. I changed nothing.") : { call };
}

function say(text: string): Reply {
  return { say: text };
}

function report(path: string, before: TestRun, after: TestRun | undefined): string {
  const was = `Before: ${tellTestRun(before)}.`;
  if (after === undefined) return `I changed \`${path}\`, but \`${TESTS}\` ran no test afterwards. ${was}`;
  const runs = `${was} Now: ${tellTestRun(after)}.`;
  if (after.failed > 0) return `I changed \`${path}\`, and \`${TESTS}\` still fails. ${runs}`;
  return `\`${FUNCTION}\` in \`${path}\` now keeps a word that ends right where the room does. ${runs}`;
}
