/** `.github/patchwright.yml`: what a repository may set. Unknown keys are errors, so that a typo is never silence. */
import { z } from "zod";

const Command = z.string().trim().min(1).max(1_000);
/** One command or a list of them. Not a union: its errors would not say which entry is wrong. */
const commands = (least: number) =>
  z.preprocess((value) => (typeof value === "string" ? [value] : value), z.array(Command).min(least).max(10));

export const RepoConfig = z
  .strictObject({
    // No test command is no test: an empty list would pass whatever is written.
    /** Commands for the clean container, run by `sh -c` at the repository's root. Replaces what is found there. */
    checks: z.strictObject({ prepare: commands(0).optional(), test: commands(1).optional() }).optional(),
    /** Added to the agent's brief and to the answering model's instructions. */
    instructions: z.string().trim().max(10_000).optional(),
    /** Seconds each check command may take. */
    check_seconds: z.number().int().min(10).max(3_600).optional(),
  })
  .transform((config) => ({
    prepare: config.checks?.prepare,
    test: config.checks?.test,
    instructions: config.instructions,
    checkSeconds: config.check_seconds ?? 600,
  }));

export type RepoConfig = z.infer<typeof RepoConfig>;

/** What holds without a file, and with one that cannot be used. */
export const DEFAULT_CONFIG: RepoConfig = RepoConfig.parse({});
