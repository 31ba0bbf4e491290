/** Rough token counts, good enough for usage fields and budgets: about four characters to a token. */
export const CHARACTERS_PER_TOKEN = 4;

export function countTokens(text: string): number {
  return text === "" ? 0 : Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
