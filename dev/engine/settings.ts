/** What the engine is given, and what one container is started with. */
import { isAbsolute } from "node:path";

export type EngineOptions = {
  /** Port on 127.0.0.1. Default: any free one. */
  readonly port?: number;
  /** Folder that the engine owns. Whatever an earlier engine left in it is ended and removed. */
  readonly root: string;
  /** What every request must carry, and what the engine's own requests to the Worker carry. */
  readonly secret: string;
  /** What runs in place of the image's tool, such as ["node", "container/tool/main.ts"]. */
  readonly toolCommand: readonly string[];
  /** What runs in place of the image's daemon. */
  readonly daemonCommand: readonly string[];
  /** PATH entries of every process: Node, git and the agents' CLIs. */
  readonly path: readonly string[];
  /** Whom the agent and the checks run as, when this process is root. Without: as this process's own user. */
  readonly agentUser?: { readonly uid: number; readonly gid: number };
  /** One line per thing worth telling a developer. */
  readonly log?: (line: string) => void;
};

export type StartOrder = {
  readonly entrypoint?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly image: string;
  /** Where requests of the container go: a URL of the Worker. */
  readonly callbackUrl: string;
};

export type ExecOrder = {
  readonly argv: readonly string[];
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stderr: "pipe" | "ignore" | "combined";
  readonly stdout: "pipe" | "ignore";
};

type Fields = { readonly [name: string]: unknown };

function fieldsOf(value: unknown): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("not an object");
  return Object.fromEntries(Object.entries(value));
}

function wordsOf(value: unknown): readonly string[] {
  const words = Array.isArray(value) ? value.filter((word: unknown) => typeof word === "string") : [];
  if (!Array.isArray(value) || words.length !== value.length || words.length === 0)
    throw new Error("not a list of words");
  return words;
}

function mapOf(value: unknown): Record<string, string> {
  const map: Record<string, string> = {};
  for (const [name, text] of Object.entries(value === undefined ? {} : fieldsOf(value))) {
    if (typeof text !== "string" || name === "" || name.includes("="))
      throw new Error(`not a text by name: ${name}`);
    map[name] = text;
  }
  return map;
}

/** Read the body of a start. Throws an Error with what is wrong. */
export function startOrder(value: unknown): StartOrder {
  const fields = fieldsOf(value);
  const { entrypoint, callbackUrl, image } = fields;
  if (typeof callbackUrl !== "string" || !URL.canParse(callbackUrl))
    throw new Error("callbackUrl is not a URL");
  if (typeof image !== "string") throw new Error("image is not a text");
  return {
    ...(entrypoint === undefined ? {} : { entrypoint: wordsOf(entrypoint) }),
    env: mapOf(fields["env"]),
    labels: mapOf(fields["labels"]),
    image,
    callbackUrl,
  };
}

/** Read the head of an exec. */
export function execOrder(value: unknown): ExecOrder {
  const { argv, cwd, env, stdout, stderr } = fieldsOf(value);
  if (cwd !== undefined && (typeof cwd !== "string" || !isAbsolute(cwd)))
    throw new Error("cwd is not an absolute path");
  return {
    argv: wordsOf(argv),
    ...(cwd === undefined ? {} : { cwd }),
    env: mapOf(env),
    stdout: stdout === "ignore" ? "ignore" : "pipe",
    stderr: stderr === "ignore" || stderr === "combined" ? stderr : "pipe",
  };
}
