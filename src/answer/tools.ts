/** The two things the answering model can do besides speaking. */
import type { Tool } from "@anthropic-ai/sdk/resources/messages";
import { z } from "zod";

export const RunCode = z.object({ code: z.string().min(1).max(50_000) });

/** A change the model wants made. The Task decides what comes of it; the model cannot start anything itself. */
export const ProposeChange = z.object({
  title: z.string().trim().min(1).max(200),
  brief: z.string().trim().min(1).max(20_000),
});
export type Proposal = z.infer<typeof ProposeChange>;

export const TOOLS: readonly Tool[] = [
  {
    name: "run_code",
    description:
      "Run JavaScript against the repository: the body of an async function with `repo` in scope. Returns what it returns, as text, or the error to mend.",
    input_schema: {
      type: "object",
      properties: { code: { type: "string", description: "statements; use await and return" } },
      required: ["code"],
    },
  },
  {
    name: "propose_change",
    description:
      "Propose a change to the code. An engineer then makes it, its tests are run, and a pull request is opened. Use it only when a change is asked for. This ends your turn.",
    input_schema: {
      type: "object",
      properties: {
        title: { type: "string", description: "imperative, under 70 characters: the pull request's title" },
        brief: { type: "string", description: "what is wrong, where, and what should hold afterwards" },
      },
      required: ["title", "brief"],
    },
  },
];
