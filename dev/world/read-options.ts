/** A program's options: what it does not know is refused in one line, before anything is started. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { messageOf } from "../../src/lib/errors.ts";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** Thrown for options that cannot be used, and for the wish to read which can. The message is all there is to say. */
export class BadOptions extends Error {
  readonly isHelp: boolean;

  /** @param problem undefined when only the usage was asked for */
  constructor(problem: string | undefined, usage: string) {
    super(`${problem === undefined ? "" : `${problem}\n`}Usage: ${usage}`);
    this.name = "BadOptions";
    this.isHelp = problem === undefined;
  }
}

/** @throws BadOptions, with the usage, for options and words that are none */
export function readOptions<const T extends Options>(
  args: readonly string[],
  { options, usage, allowPositionals = false }: { options: T; usage: string; allowPositionals?: boolean },
) {
  if (args.some((arg) => arg === "--help" || arg === "-h")) throw new BadOptions(undefined, usage);
  try {
    return parseArgs({ args: [...args], options, allowPositionals });
  } catch (thrown) {
    const words = messageOf(thrown);
    throw new BadOptions(words.split(". ", 1)[0] ?? words, usage);
  }
}

/** @throws BadOptions for a value that is not there yet */
export function chosen<const T extends string>(
  name: string,
  value: string | undefined,
  known: readonly [T, ...T[]],
  usage: string,
): T {
  const found = known.find((one) => one === (value ?? known[0]));
  if (found === undefined)
    throw new BadOptions(`--${name} ${value} is not there yet; there is ${known.join(", ")}`, usage);
  return found;
}
