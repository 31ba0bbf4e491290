/** A text with line breaks, so that no line is longer than `width` unless a single word is. Blank lines stay. */
export function wrap(text: string, width: number): string {
  return text
    .split("\n")
    .map((paragraph) => wrapParagraph(paragraph, width))
    .join("\n");
}

function wrapParagraph(paragraph: string, width: number): string {
  const lines: string[] = [];
  let line = "";
  for (const word of paragraph.split(/\s+/).filter((part) => part !== "")) {
    if (line !== "" && lengthOf(line) + 1 + lengthOf(word) > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join("\n");
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
