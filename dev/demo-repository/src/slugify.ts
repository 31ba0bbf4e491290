export type SlugOptions = {
  /** What stands between two words. */
  separator?: string;
  /** Longest slug, in characters; words that do not fit are left out. */
  max?: number;
};

/** Letters that no decomposition takes apart, with what people write instead. */
const SPELLED_OUT: Record<string, string> = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ł: "l", þ: "th" };

/** A text as a part of a URL: lower case, words joined by a separator, everything else left out. */
export function slugify(text: string, options: SlugOptions = {}): string {
  const { separator = "-", max = Number.POSITIVE_INFINITY } = options;
  const plain = text
    .toLowerCase()
    // An accented letter becomes a letter followed by its accent, and then the accent goes.
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[ßæœøđłþ]/g, (letter) => SPELLED_OUT[letter] ?? "")
    // An apostrophe does not part a word: "it's" is "its".
    .replace(/['’]/g, "");
  const words = plain.normalize("NFC").match(/[\p{Letter}\p{Mark}\p{Number}]+/gu) ?? [];
  return joinWithin(words, separator, max);
}

function joinWithin(words: readonly string[], separator: string, max: number): string {
  let slug = words[0]?.slice(0, max) ?? "";
  for (const word of words.slice(1)) {
    const longer = slug + separator + word;
    if (longer.length > max) break;
    slug = longer;
  }
  return slug;
}
