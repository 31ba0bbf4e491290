/** The prose in prompts/, filled. A hole without a value and a value without a hole are both defects. */
import answer from "../../prompts/answer.md";
import brief from "../../prompts/brief.md";

const PROMPTS = { answer, brief } as const;

/** @throws when the template and the values do not fit: a prompt with a hole in it must not reach a model */
export function fillPrompt(name: keyof typeof PROMPTS, values: Readonly<Record<string, string>>): string {
  const used = new Set<string>();
  const filled = PROMPTS[name].replaceAll(/\{\{([a-z_]+)\}\}/g, (_, key: string) => {
    const value = values[key];
    if (value === undefined) throw new Error(`prompts/${name}.md has no value for ${key}`);
    used.add(key);
    return value;
  });
  const left = Object.keys(values).filter((key) => !used.has(key));
  if (left.length > 0) throw new Error(`prompts/${name}.md does not use ${left.join(", ")}`);
  return filled;
}

/**
 * Text from outside, framed as data. A closing tag inside it is broken up, so that it cannot end its own frame.
 * @param origin who wrote it, in plain words
 */
export function quoteOutside(tag: string, origin: string, text: string): string {
  const safe = text.replaceAll(new RegExp(`<(/?)${tag}`, "gi"), `<$1 ${tag}`);
  return `<${tag} origin="${origin.replaceAll(/[^A-Za-z0-9 @#_.,:/-]/g, "")}">\n${safe}\n</${tag}>`;
}
