/** The first letters of a name's words, in upper case. With more words than `max`, the first and the last ones. */
export function initials(name: string, max = 2): string {
  const letters = name
    .split(/[\s-]+/)
    .flatMap((word) => Array.from(word).slice(0, 1))
    .map((letter) => letter.toUpperCase());
  if (letters.length <= max) return letters.join("");
  return [...letters.slice(0, max - 1), ...letters.slice(-1)].join("");
}
