/** Where review comments stand: on lines that are part of the diff, or nowhere. */
import { diffFiles } from "../git/diff.ts";
import { findLine, hunkUpTo, patchLines } from "../git/hunks.ts";
import { Refusal } from "../http/refusal.ts";
import type { PullIssue, Repository, ReviewComment, Side } from "../state/model.ts";

type CommentDraft = {
  readonly path: string;
  readonly body: string;
  readonly line?: number | undefined;
  readonly side?: Side | undefined;
  readonly start_line?: number | undefined;
  readonly start_side?: Side | undefined;
  readonly position?: number | undefined;
  readonly subject_type?: "line" | "file" | undefined;
};

/** A draft that has found its line. */
export type Placed = Pick<
  ReviewComment,
  "path" | "diffHunk" | "line" | "side" | "startLine" | "startSide" | "position" | "subjectType"
>;

/** Where each draft stands in the diff of the pull request at `commit`, or the problems of the first that has none. */
export async function placeComments(
  repo: Repository,
  issue: PullIssue,
  commit: string,
  drafts: readonly CommentDraft[],
): Promise<Placed[]> {
  if (drafts.length === 0) return [];
  const from = (await repo.git.mergeBase(issue.pull.baseSha, commit)) ?? null;
  const files = await diffFiles(repo.git, from, commit);
  return drafts.map((draft) => {
    const file = files.find((one) => one.filename === draft.path);
    return file === undefined
      ? refuse(["Pull request review thread path is invalid", BLANK_HUNK])
      : place(draft, file.patch ?? "");
  });
}

const BLANK_HUNK = "Pull request review thread diff hunk can't be blank";

function place(draft: CommentDraft, patch: string): Placed {
  const { path } = draft;
  if (draft.subject_type === "file") {
    const none = { line: null, startLine: null, startSide: null, position: null };
    return { path, diffHunk: "", side: "RIGHT", subjectType: "file", ...none };
  }
  const lines = patchLines(patch);
  const side = draft.side ?? "RIGHT";
  const end =
    draft.line === undefined
      ? lines.find((line) => line.position === draft.position && line.position > 0)
      : findLine(lines, side, draft.line);
  const problems: string[] = [];
  if (end === undefined) problems.push("Pull request review thread line must be part of the diff");
  const startSide = draft.start_line === undefined ? null : (draft.start_side ?? side);
  if (draft.start_line !== undefined && startSide !== null) {
    const start = findLine(lines, startSide, draft.start_line);
    if (start === undefined || start.hunk !== end?.hunk) {
      problems.push("Pull request review thread start line must be part of the same hunk as the line.");
    } else if (start.position >= end.position) {
      problems.push("Pull request review thread start line must precede the end line.");
    }
  }
  if (end === undefined) problems.push(BLANK_HUNK);
  if (end === undefined || problems.length > 0) return refuse(problems);
  return {
    path,
    diffHunk: hunkUpTo(lines, end),
    line: draft.line ?? end.right ?? end.left ?? null,
    side: draft.line === undefined && end.right === undefined ? "LEFT" : side,
    startLine: draft.start_line ?? null,
    startSide,
    position: end.position,
    subjectType: "line",
  };
}

/** 422 "Unprocessable Entity" with all problems in one sentence, as the Reviews API words them. */
function refuse(problems: readonly string[]): never {
  const last = problems.at(-1) ?? "";
  const sentence =
    problems.length < 3 ? problems.join(" and ") : `${problems.slice(0, -1).join(", ")}, and ${last}`;
  throw new Refusal(422, "Unprocessable Entity", { errors: [sentence] });
}
