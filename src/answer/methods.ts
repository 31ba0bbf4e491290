/**
 * What model-written code may call: one table, from which come the checks of every call, the TypeScript that the model
 * is shown, and the types the host implements. All read-only, all pinned to one repository, commit and time.
 */
import { z } from "zod";

const Path = z.string().min(1).max(4_096).describe("relative to the repository's root");
const Sha = z.string().regex(/^[0-9a-f]{7,40}$/, "is not a commit id");

/** Lines, matches and characters that one call may return. They guard the model's context and the Worker's memory. */
export const CAPS = {
  lines: 2_000,
  matches: 200,
  paths: 2_000,
  commits: 100,
  diffCharacters: 100_000,
  fileBytes: 1024 * 1024,
} as const;

const METHODS_TABLE = {
  listFiles: {
    about: "Paths of the repository, sorted. Symlinks and submodules are listed as what they are.",
    input: z.strictObject({
      glob: z.string().max(500).optional().describe("such as src/** or *.md; all paths without it"),
    }),
    output: z.object({
      files: z.array(
        z.object({ path: z.string(), size: z.number(), kind: z.enum(["file", "symlink", "submodule"]) }),
      ),
      truncated: z.boolean(),
    }),
  },
  readFile: {
    about: "Lines of a text file; line numbers are 1-based and inclusive.",
    input: z.strictObject({
      path: Path,
      start: z.number().int().min(1).optional(),
      end: z.number().int().min(1).optional(),
    }),
    output: z.object({
      path: z.string(),
      text: z.string(),
      start: z.number(),
      end: z.number(),
      lines: z.number().describe("in the whole file"),
      truncated: z.boolean(),
    }),
  },
  search: {
    about:
      "Lines that contain a text, or match a regular expression (RE2: no look-around, no backreferences). In any case.",
    input: z.strictObject({
      query: z.string().min(1).max(500),
      regexp: z.boolean().optional(),
      glob: z.string().max(500).optional(),
      limit: z.number().int().min(1).max(CAPS.matches).optional(),
    }),
    output: z.object({
      matches: z.array(z.object({ path: z.string(), line: z.number(), text: z.string() })),
      truncated: z.boolean(),
    }),
  },
  readThread: {
    about:
      "An issue or pull request with its comments; those made or edited since you were asked are left out. Without a number: this one, with its title and text as they were then.",
    input: z.strictObject({ number: z.number().int().min(1).optional() }),
    output: z.object({
      number: z.number(),
      title: z.string(),
      body: z.string(),
      author: z.string(),
      state: z.enum(["open", "closed"]),
      labels: z.array(z.string()),
      comments: z.array(z.object({ author: z.string(), at: z.string(), text: z.string() })),
      leftOut: z.number().describe("comments made or edited since then"),
    }),
  },
  listCommits: {
    about: "Commits that lead to the pinned one, newest first, of one path if given.",
    input: z.strictObject({
      path: Path.optional(),
      count: z.number().int().min(1).max(CAPS.commits).optional(),
    }),
    output: z.object({
      commits: z.array(
        z.object({ sha: z.string(), subject: z.string(), author: z.string(), date: z.string() }),
      ),
    }),
  },
  readDiff: {
    about: "The unified diff of a commit, or of a pull request. Give exactly one of them.",
    input: z
      .strictObject({ commit: Sha.optional(), pullRequest: z.number().int().min(1).optional() })
      .refine((of) => (of.commit === undefined) !== (of.pullRequest === undefined), {
        message: "give commit or pullRequest, and not both",
      }),
    output: z.object({ diff: z.string(), truncated: z.boolean() }),
  },
} as const;

export type MethodName = keyof typeof METHODS_TABLE;
export type MethodInput<N extends MethodName> = z.output<(typeof METHODS_TABLE)[N]["input"]>;
export type MethodOutput<N extends MethodName> = z.output<(typeof METHODS_TABLE)[N]["output"]>;

/** What the host implements. */
export type Methods = { [N in MethodName]: (input: MethodInput<N>) => Promise<MethodOutput<N>> };

export const METHODS: {
  readonly [N in MethodName]: {
    readonly about: string;
    readonly input: z.ZodType<MethodInput<N>>;
    readonly output: z.ZodType<MethodOutput<N>>;
  };
} = METHODS_TABLE;

export function isMethod(name: string): name is MethodName {
  return Object.hasOwn(METHODS, name);
}
