/** Where review comments may stand: the lines of a patch, by side. */
import type { Side } from "../state/model.ts";

type PatchLine = {
  /** Lines below the first @@, GitHub's old `position`. */
  readonly position: number;
  readonly hunk: number;
  readonly left: number | undefined;
  readonly right: number | undefined;
  readonly text: string;
};

/** Every line of a patch with its line numbers on both sides. Hunk headers take a position and no line. */
export function patchLines(patch: string): PatchLine[] {
  const lines: PatchLine[] = [];
  let hunk = -1;
  let left = 0;
  let right = 0;
  for (const [index, text] of patch.split("\n").entries()) {
    const header = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(text);
    if (header !== null) {
      hunk += 1;
      left = Number(header[1]);
      right = Number(header[2]);
      lines.push({ position: index, hunk, left: undefined, right: undefined, text });
    } else if (text.startsWith("+")) {
      lines.push({ position: index, hunk, left: undefined, right, text });
      right += 1;
    } else if (text.startsWith("-")) {
      lines.push({ position: index, hunk, left, right: undefined, text });
      left += 1;
    } else if (text.startsWith(" ") || text === "") {
      lines.push({ position: index, hunk, left, right, text });
      left += 1;
      right += 1;
    }
  }
  return lines;
}

/** The patch line that `line` of `side` is, or undefined when it is not part of the diff. */
export function findLine(lines: readonly PatchLine[], side: Side, line: number): PatchLine | undefined {
  return lines.find((one) => (side === "LEFT" ? one.left : one.right) === line);
}

/** The hunk up to and including a line: what GitHub answers as `diff_hunk`. */
export function hunkUpTo(lines: readonly PatchLine[], end: PatchLine): string {
  return lines
    .filter((one) => one.hunk === end.hunk && one.position <= end.position)
    .map((one) => one.text)
    .join("\n");
}
