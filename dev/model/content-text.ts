/** The text of a message's or a tool result's content, which in both APIs is a string or a list of typed blocks. */
import { z } from "zod";

const Blocks = z.array(z.looseObject({ text: z.string().optional() }));

/** Each block starts a line of its own. Blocks without text (images, files) count as nothing. */
export function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = (Blocks.safeParse(content).data ?? []).map((block) => block.text ?? "");
  return texts.reduce(
    (before, text) => before + (before === "" || before.endsWith("\n") ? "" : "\n") + text,
    "",
  );
}
