/** The count and the word that fits it: "1 file", "2 files". A word with its own plural needs `many`. */
export function pluralize(count: number, one: string, many = guessPlural(one)): string {
  return `${count} ${Math.abs(count) === 1 ? one : many}`;
}

function guessPlural(word: string): string {
  if (/(?:s|x|z|ch|sh)$/i.test(word)) return `${word}es`;
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}
