/** Looking at a function in the repository: the program the model writes, and the reading of what it returned. */
import { z } from "zod";

const Line = z.object({ line: z.number(), text: z.string() });
const Look = z.object({
  about: z.string(),
  found: z.literal(true),
  path: z.string(),
  line: z.number(),
  code: z.array(Line),
  tests: z.array(Line.extend({ path: z.string() })),
});
export type Look = z.infer<typeof Look>;

/**
 * The body of an async function over `repo`: where `name` is defined, its lines to the closing brace, and the
 * lines of the tests that name it.
 */
export function lookProgram(name: string): string {
  return `const name = ${JSON.stringify(name)};
const { matches } = await repo.search({ query: "export function " + name + "(", glob: "src/**" });
const at = matches[0];
if (at === undefined) return { about: name, found: false };
const { text } = await repo.readFile({ path: at.path });
const lines = text.split("\\n");
const end = lines.indexOf("}", at.line);
const code = lines
  .slice(at.line - 1, end === -1 ? at.line + 40 : end + 1)
  .map((text, index) => ({ line: at.line + index, text }));
const tests = await repo.search({ query: name + "(", glob: "test/**" });
return {
  about: name,
  found: true,
  path: at.path,
  line: at.line,
  code,
  tests: tests.matches.map(({ path, line, text }) => ({ path, line, text })),
};`;
}

/** What the program found, wherever in a tool's result its JSON value stands; undefined when it found nothing. */
export function readLook(resultText: string): Look | undefined {
  const from = resultText.indexOf("{");
  return findLook(parse(resultText.slice(from, resultText.lastIndexOf("}") + 1)));
}

/** `path:line`, the way code is quoted to people. */
export function placeOf(path: string, line: number): string {
  return `\`${path}:${line}\``;
}

function findLook(value: unknown): Look | undefined {
  const look = Look.safeParse(value);
  if (look.success) return look.data;
  if (typeof value === "string") return findLook(parse(value));
  if (typeof value !== "object" || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const found = findLook(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
