/** A text that was cut, without the half of a surrogate pair the cut may have left at its end. */
export function wholeCharacters(cut: string): string {
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}
