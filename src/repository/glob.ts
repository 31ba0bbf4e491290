/**
 * Globs as people write them, matched in linear time. The usual libraries turn them into backtracking regular
 * expressions, and a glob by a model runs in the host's isolate: seven stars over one long path took seconds.
 */
import { RE2JS } from "re2js";

/** What a glob is made of. `[…]` stays within a folder; a backslash takes what follows as it is. */
const TOKEN = /\*\*\/|\*\*|\[[^\]/]+\]|\\.|./gsu;

/**
 * Whether a path is in a glob; without one, every path is. `*` and `?` stay within a folder, `**` goes across, `{a,b}`
 * and `[abc]` choose. Dot files count, as people expect of a repository. What is left open is only text.
 */
export function globTest(glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true;
  const tokens = glob.match(TOKEN) ?? [];
  const choices = choicesIn(tokens);
  const source = tokens.map((token, at) => choices.get(at) ?? expressionOf(token)).join("");
  const pattern = RE2JS.compile(`^${source}$`, RE2JS.DOTALL);
  return (path) => pattern.test(path);
}

/** The braces and commas that choose, by where they stand: those of a pair with a comma in it, also one in another. */
function choicesIn(tokens: readonly string[]): ReadonlyMap<number, string> {
  const choices = new Map<number, string>();
  const open: { readonly from: number; readonly commas: number[] }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token === "{") open.push({ from: at, commas: [] });
    else if (token === ",") open.at(-1)?.commas.push(at);
    else if (token === "}") {
      const pair = open.pop();
      if (pair === undefined || pair.commas.length === 0) continue;
      choices.set(pair.from, "(?:").set(at, ")");
      for (const comma of pair.commas) choices.set(comma, "|");
    }
  }
  return choices;
}

function expressionOf(token: string): string {
  if (token === "**/") return "(?:.*/)?";
  if (token === "**") return ".*";
  if (token === "*") return "[^/]*";
  if (token === "?") return "[^/]";
  if (token.length > 2 && token.startsWith("[")) return charactersOf(token);
  return RE2JS.quote(token.length > 1 && token.startsWith("\\") ? token.slice(1) : token);
}

/** `[abc]`, `[!abc]` and `[^abc]`, ranges included; nothing else in them is special. */
function charactersOf(set: string): string {
  const not = /^\[[!^]./su.test(set) && set.length > 3;
  // A hyphen at an end is itself; between two characters it makes a range of them.
  const inner = set
    .slice(not ? 2 : 1, -1)
    .replaceAll(/[\\^[\]]/g, String.raw`\$&`)
    .replaceAll(/^-|-$/g, String.raw`\-`);
  const source = not ? `[^${inner}/]` : `[${inner}]`;
  try {
    // A range that spans the slash, as [+-9] does, would leave the folder.
    return RE2JS.compile(source).matches("/") ? RE2JS.quote(set) : source;
  } catch {
    // A range that runs backwards, as in [z-a].
    return RE2JS.quote(set);
  }
}
