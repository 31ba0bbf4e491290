/**
 * What a directive asks for, as a call of a tool this request offers. The same directive is a `Write` for Claude
 * Code, a shell command for Codex, and nothing at all where no fitting tool is offered.
 */
import { posix } from "node:path";
import type { Directive } from "./directives.ts";
import { carriesTag } from "./ids.ts";
import { fitInput, objectOf } from "./json-sample.ts";
import type { ToolResult, Turn } from "./turn.ts";

type Call = { readonly tool: string; readonly input: unknown };

/** `passed-over`: no fitting tool here. `obeyed`: an earlier turn of this conversation did it. */
type Standing =
  | { readonly kind: "passed-over" }
  | { readonly kind: "obeyed" }
  | { readonly kind: "due"; readonly call: Call };

const TITLE_LENGTH = 60;

export function standingOf(directive: Directive, turn: Turn): Standing {
  const call = callFor(directive, turn);
  if (call === undefined) return { kind: "passed-over" };
  const past = turn.calls.filter((made) => carriesTag(made.id, directive.tag));
  if (past.length === 0) return { kind: "due", call };
  const again = directive.verb === "write" ? retryUnreadWrite(call, past, turn) : undefined;
  return again === undefined ? { kind: "obeyed" } : { kind: "due", call: again };
}

function callFor(directive: Directive, turn: Turn): Call | undefined {
  switch (directive.verb) {
    case "code":
      return offered(turn, "run_code", { code: directive.code });
    case "propose":
      return offered(turn, "propose_change", {
        title: directive.brief.slice(0, TITLE_LENGTH),
        brief: directive.brief,
      });
    case "finding":
      return offeredFitting(turn, "report_finding", directive);
    case "bash":
      return shellCall(turn, directive.command, "Run the command");
    case "write": {
      const path = posix.resolve(turn.cwd ?? "/", directive.path);
      return (
        offered(turn, "Write", { file_path: path, content: directive.content }) ??
        shellCall(turn, writeCommand(path, directive.content), "Write the file")
      );
    }
    default:
      return undefined;
  }
}

/**
 * The coding agent's shell: `Bash` in Claude Code 2.1.332; in Codex 0.171.0 `exec_command`, or for its newer models
 * `exec`, which takes JavaScript and has the same command among its `tools`. Codex starts a login shell unless told
 * not to, and so would lose the PATH it was started with.
 */
export function shellCall(turn: Turn, command: string, description: string): Call | undefined {
  const order = { cmd: command, login: false, yield_time_ms: 30_000 };
  const program = `const ran = await tools.exec_command(${JSON.stringify(order)});\ntext(ran.output);\n`;
  return (
    offered(turn, "Bash", { command, description }) ??
    offered(turn, "exec_command", order) ??
    offered(turn, "exec", program)
  );
}

/** printf rather than a heredoc: the file ends exactly as the content does, with a last newline or without. */
export function writeCommand(path: string, content: string): string {
  return `mkdir -p ${quote(posix.dirname(path))} && printf '%s' ${quote(content)} > ${quote(path)}`;
}

export function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/**
 * Claude Code refuses to Write over a file that this session has not Read ("File has not been read yet", "File has
 * been modified since read"), as it should. A person would read it and write again, and so does the directive:
 * Write, Read, Write, then it is done whatever came of it.
 */
function retryUnreadWrite(call: Call, past: readonly ToolResult[], turn: Turn): Call | undefined {
  const [write, read, ...more] = past;
  const isUnread = write?.isError === true && /has not been read|modified since read/i.test(write.text);
  if (!isUnread || more.length > 0) return undefined;
  return read === undefined ? offered(turn, "Read", { file_path: objectOf(call.input)["file_path"] }) : call;
}

function offered(turn: Turn, tool: string, input: unknown): Call | undefined {
  return turn.tools.includes(tool) ? { tool, input } : undefined;
}

function offeredFitting(
  turn: Turn,
  tool: string,
  finding: { path: string; line: number; text: string },
): Call | undefined {
  const found = turn.offered.find((each) => each.name === tool);
  if (found === undefined) return undefined;
  const { path, line, text } = finding;
  const known = {
    path,
    file: path,
    line,
    start_line: line,
    end_line: line,
    startLine: line,
    endLine: line,
    title: text.slice(0, TITLE_LENGTH),
  };
  return { tool, input: fitInput(found.schema, known, text) };
}
