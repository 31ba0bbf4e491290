/**
 * Makes a program that cannot run for ever. Production stops a Dynamic Worker at `limits.cpuMs`; local workerd does not
 * enforce it, and a counting loop there stops every other request of the process too. So each loop and each function
 * first pays one unit from a purse, and an empty purse throws. It bounds loops and recursion, not the time inside one
 * built-in call (a slow regular expression): for that there is the host's own deadline and production's limit.
 */
import { parse, type Node } from "acorn";
import { full } from "acorn-walk";
import { messageOf } from "../lib/errors.ts";
import { fail, pass, type Result } from "../lib/result.ts";

export type GuardFault = { readonly why: "syntax"; readonly detail: string };

/**
 * The body of an async function, with a payment in every loop and function.
 * @param code what the model wrote: statements, `await` and `return` allowed
 * @param purse name of the function that pays; must not occur in the code
 */
export function guardLoops(code: string, purse: string): Result<string, GuardFault> {
  if (code.includes(purse)) return fail({ why: "syntax", detail: `the name ${purse} is taken` });
  const opening = "async function program(repo, console) {\n";
  const source = `${opening}${code}\n}`;
  const arrows: number[] = [];
  let tree: Node;
  try {
    tree = parse(source, {
      ecmaVersion: "latest",
      sourceType: "module",
      allowAwaitOutsideFunction: false,
      onToken: (token) => {
        if (token.type.label === "=>") arrows.push(token.end);
      },
    });
  } catch (thrown) {
    return fail({ why: "syntax", detail: syntaxDetail(thrown) });
  }
  if (!isOneFunction(tree)) return fail({ why: "syntax", detail: "the braces do not match" });
  const inserts: Insert[] = [];
  full(tree, (node) => visit(node, arrows, purse, inserts));
  return pass(apply(source, inserts));
}

type Insert = { readonly at: number; readonly text: string };
type WithBody = Node & { readonly body: Node };

/** The program must still be the one function we wrapped it in: `} evil() {` would parse as well. */
function isOneFunction(tree: Node): boolean {
  return "body" in tree && Array.isArray(tree.body) && tree.body.length === 1;
}

const LOOPS: ReadonlySet<string> = new Set([
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
]);
const FUNCTIONS: ReadonlySet<string> = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);

function visit(node: Node, arrows: readonly number[], purse: string, inserts: Insert[]): void {
  if (node.type === "PropertyDefinition") {
    // A class's field is computed for each object, without a function of its own.
    const value = "value" in node ? (node.value as Node | null) : null;
    if (value !== null)
      inserts.push({ at: value.start, text: `(${purse}(), ` }, { at: value.end, text: ")" });
    return;
  }
  const loop = LOOPS.has(node.type);
  if (!loop && !FUNCTIONS.has(node.type)) return;
  const body = (node as WithBody).body;
  if (body.type === "BlockStatement") {
    inserts.push({ at: body.start + 1, text: `${purse}();` });
  } else if (loop) {
    inserts.push({ at: body.start, text: `{${purse}();` }, { at: body.end, text: "}" });
  } else {
    // An arrow's expression may stand in parentheses, which are not part of its node, and behind comments, which may
    // have arrows of their own: the last arrow that is a token is the one.
    const arrow = arrows.findLast((end) => end <= body.start) ?? body.start;
    inserts.push({ at: arrow, text: ` (${purse}(), ` }, { at: node.end, text: ")" });
  }
}

function apply(source: string, inserts: readonly Insert[]): string {
  // At one position, what closes an inner node comes before what opens the next; a stable sort keeps the walk's order.
  const sorted = [...inserts].sort((left, right) => left.at - right.at);
  let result = "";
  let at = 0;
  for (const insert of sorted) {
    result += source.slice(at, insert.at) + insert.text;
    at = insert.at;
  }
  return result + source.slice(at);
}

/** Acorn counts lines from the wrapper's first; the model counts its own. */
function syntaxDetail(thrown: unknown): string {
  return messageOf(thrown).replace(/\((\d+):(\d+)\)/, (_, line: string, column: string) => {
    return `(line ${Number(line) - 1}, column ${column})`;
  });
}
