/** A text as it is the same whichever way GitHub gives it back: other line ends, no space at the end. */
export function plainText(text: string): string {
  return text.replaceAll("\r\n", "\n").trimEnd();
}
