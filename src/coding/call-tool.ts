/** Calling the tool in the container: one JSON document in, one out. What comes back is data of unknown intent. */
import { z } from "zod";
import { TOOL, type ToolAnswer, type ToolCalls, type ToolFault } from "../domain/container-protocol.ts";
import { messageOf } from "../lib/errors.ts";
import { fail, pass, type Result } from "../lib/result.ts";

export type ToolCallFault =
  | ToolFault
  | { readonly why: "container-lost"; readonly detail: string }
  | { readonly why: "tool-broke"; readonly detail: string };

/** Bytes of an answer that are read. Guards the object's memory; the export's own caps are far below. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

const Path = z.string().min(1).max(4_096);
const Windows: { [N in keyof ToolCalls]: z.ZodType<ToolCalls[N]["output"]> } = {
  checkout: z.object({ commit: z.string(), tree: z.string(), files: z.number(), ms: z.number() }),
  export: z.object({
    base: z.object({ commit: z.string(), tree: z.string() }),
    changes: z.array(
      z.discriminatedUnion("op", [
        z.object({
          op: z.literal("write"),
          path: Path,
          mode: z.enum(["100644", "100755", "120000", "160000"]),
          size: z.number(),
          content: z.string(),
        }),
        z.object({ op: z.literal("delete"), path: Path }),
      ]),
    ),
    skipped: z.array(
      z.object({
        path: Path,
        why: z.enum(["too-large", "set-full", "nested-repository", "not-utf8-path", "special-file"]),
      }),
    ),
  }),
  apply: z.object({ applied: z.number() }),
  run: z.object({
    exit: z.number().nullable(),
    output: z.string(),
    ms: z.number(),
    cut: z.boolean(),
    timedOut: z.boolean(),
  }),
};

/** Run one subcommand as root in the container. */
export async function callTool<N extends keyof ToolCalls>(
  container: Container,
  name: N,
  input: ToolCalls[N]["input"],
): Promise<Result<ToolCalls[N]["output"], ToolCallFault>> {
  try {
    const process = await container.exec([TOOL, name], {
      stdin: textStream(JSON.stringify(input)),
      stdout: "pipe",
      stderr: "ignore",
    });
    const answer = await readAll(process.stdout);
    const exit = await process.exitCode;
    if (exit !== 0) return fail({ why: "tool-broke", detail: `${name} exited with ${exit}` });
    return readAnswer(name, answer);
  } catch (thrown) {
    return fail({ why: "container-lost", detail: `${name}: ${messageOf(thrown)}` });
  }
}

function readAnswer<N extends keyof ToolCalls>(
  name: N,
  text: string,
): Result<ToolCalls[N]["output"], ToolCallFault> {
  const parsed = parse(text);
  if (parsed === undefined) return fail({ why: "tool-broke", detail: `${name} did not answer JSON` });
  if (!parsed.ok) return fail(parsed.fault);
  const output = Windows[name].safeParse(parsed.value);
  if (output.success) return pass(output.data);
  const path = output.error.issues[0]?.path.map(String).join(".");
  return fail({ why: "tool-broke", detail: `${name} answered in an unknown shape at ${path}` });
}

const Answer = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), value: z.unknown() }),
  z.object({
    ok: z.literal(false),
    fault: z.object({
      why: z.enum([
        "bad-input",
        "repository-unreachable",
        "commit-not-found",
        "no-checkout",
        "path-refused",
        "disk",
        "git-failed",
      ]),
      detail: z.string().max(10_000),
    }),
  }),
]);

function parse(text: string): ToolAnswer<unknown> | undefined {
  try {
    return Answer.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function textStream(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
}

async function readAll(stream: ReadableStream<Uint8Array> | null): Promise<string> {
  if (stream === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.byteLength;
    if (bytes > MAX_ANSWER_BYTES) {
      await reader.cancel();
      throw new Error("the answer is too long");
    }
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}
