/** GitHub's Markdown as a terminal shows it best: without tags, and with folded command output cut to its counts. */

/** The counts that test runners end with: `ℹ pass 9`, `# fail 0`, `Tests: 1 passed, 2 total`, `test result: ok. …`. */
const COUNTS =
  /^\W*(?:tests|pass|fail)\s+\d+$|^\s*Tests:? .*\d|^test result: |^=+ .*\b(?:passed|failed)\b.* =+$/;

const FENCED = /^(`{3,}).*\n([\s\S]*?)^\1$/gm;

const FOLDED = /<details>\s*<summary>([\s\S]*?)<\/summary>([\s\S]*?)<\/details>/g;

/** A person's view of a comment or a pull request's body. */
export function plainText(markdown: string): string {
  return markdown
    .replaceAll(/<!--[\s\S]*?-->/g, "")
    .replaceAll(FOLDED, (_, summary: string, body: string) =>
      [withoutTags(summary), body.replaceAll(FENCED, (__, ___, output: string) => countsIn(output)).trim()]
        .filter((part) => part !== "")
        .join("\n"),
    )
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/**
 * `text` without the paragraphs that `shown` has word for word, which are long and were just read.
 * @returns the rest, with one line where something was left out
 */
export function withoutRepeats(text: string, shown: string): string {
  const known = new Set(paragraphs(shown).filter((paragraph) => paragraph.includes("\n")));
  return paragraphs(text)
    .map((paragraph) => (known.has(paragraph) ? "(as above)" : paragraph))
    .join("\n\n");
}

function countsIn(output: string): string {
  const lines = output.split("\n").filter((line) => COUNTS.test(line));
  return lines.length === 0 ? "" : `(${lines.map((line) => line.replace(/^\W+/, "").trim()).join(", ")})`;
}

/** A summary is escaped HTML on one line. */
function withoutTags(html: string): string {
  return html
    .replaceAll(/<\/?\w[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .trim();
}

function paragraphs(text: string): string[] {
  return text.split(/\n{2,}/);
}
