/**
 * What of a file set may be published. Pure, and the last look before GitHub: the container and everything in it is
 * taken for hostile. What is refused keeps its reason and is shown to people; the rest is delivered.
 */
import type { FileChange, FileSet } from "../domain/file-set.ts";

export type RefusedChange = { readonly path: string; readonly why: RefusedWhy };
export type RefusedWhy =
  | "path-not-plain"
  | "path-too-long"
  | "git-internals"
  | "case-collision"
  | "path-conflict"
  | "symlink"
  | "submodule"
  | "protected"
  | "agent-file"
  | "too-large"
  | "too-many";

export type Judged = { readonly accepted: readonly FileChange[]; readonly refused: readonly RefusedChange[] };

/** Guards reviewers and the Git Data API. */
export const PUBLISH_CAPS = { files: 300, fileBytes: 1024 * 1024, totalBytes: 5 * 1024 * 1024 } as const;

/** Limits of git and of most file systems. */
const PATH_BYTES = 4_096;
const SEGMENT_BYTES = 255;

export function judge(set: FileSet): Judged {
  const accepted: FileChange[] = [];
  const refused: RefusedChange[] = [];
  const files = new Set<string>();
  const folders = new Set<string>();
  let bytes = 0;
  for (const change of set.changes) {
    const key = fold(change.path);
    const why =
      refusePath(change.path) ??
      refuseChange(change, accepted.length, bytes) ??
      (change.op === "write" ? collision(key, files, folders) : undefined);
    if (why !== undefined) {
      refused.push({ path: change.path, why });
      continue;
    }
    if (change.op === "write") {
      files.add(key);
      for (const folder of foldersOf(key)) folders.add(folder);
      bytes += change.size;
    }
    accepted.push(change);
  }
  return { accepted, refused };
}

/** Two writes that one file system or one tree cannot hold: the same name in other letters, a file that is a folder. */
function collision(
  key: string,
  files: ReadonlySet<string>,
  folders: ReadonlySet<string>,
): RefusedWhy | undefined {
  if (files.has(key)) return "case-collision";
  return folders.has(key) || foldersOf(key).some((folder) => files.has(folder)) ? "path-conflict" : undefined;
}

function foldersOf(path: string): string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_, at) => segments.slice(0, at + 1).join("/"));
}

function refuseChange(change: FileChange, count: number, bytes: number): RefusedWhy | undefined {
  if (count >= PUBLISH_CAPS.files) return "too-many";
  if (change.op === "delete") return undefined;
  if (change.mode === "120000") return "symlink";
  if (change.mode === "160000") return "submodule";
  if (change.size > PUBLISH_CAPS.fileBytes || bytes + change.size > PUBLISH_CAPS.totalBytes)
    return "too-large";
  return undefined;
}

/** Why a path cannot be published, whatever its content. */
export function refusePath(path: string): RefusedWhy | undefined {
  const encoder = new TextEncoder();
  if (encoder.encode(path).byteLength > PATH_BYTES) return "path-too-long";
  if (path === "" || path.startsWith("/") || /[\\\p{Cc}\p{Cf}\p{Cs}]/u.test(path)) return "path-not-plain";
  for (const segment of path.split("/")) {
    if (segment === "" || segment === "." || segment === "..") return "path-not-plain";
    if (encoder.encode(segment).byteLength > SEGMENT_BYTES) return "path-too-long";
    if (isGitInternal(segment)) return "git-internals";
  }
  const plain = fold(path);
  if (PROTECTED.some((pattern) => pattern.test(plain))) return "protected";
  if (AGENT_FILES.some((pattern) => pattern.test(plain))) return "agent-file";
  return undefined;
}

/** `.git` in the forms that HFS+ and NTFS take for it: case, trailing dots and spaces, the 8.3 name. */
function isGitInternal(segment: string): boolean {
  return /^(?:\.git|git~\d+)[. ]*(?::.*)?$/i.test(segment.normalize("NFKC"));
}

/** One name for what one file system would call one file. */
function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/**
 * Paths that run with the repository's secrets or decide who may: an App's push starts workflows. A separate
 * permission would be needed to write workflows, and we do not ask for it.
 */
const PROTECTED: readonly RegExp[] = [
  /^\.github\/(?:workflows|actions)(?:\/|$)/,
  /^\.github\/patchwright\.ya?ml$/,
  /^(?:\.github\/|docs\/)?codeowners$/,
  /^\.gitmodules$/,
];

/** Settings that agents obey when they start in a checkout: delivered, they would steer the next run. */
const AGENT_FILES: readonly RegExp[] = [
  /(?:^|\/)\.(?:claude|codex|cursor|gemini|agents|windsurf|kiro|opencode|roo|clinerules|aider[^/]*)(?:\/|$)/,
  /(?:^|\/)\.(?:cursorrules|windsurfrules|roomodes|goosehints)$/,
  /(?:^|\/)(?:agents(?:\.override)?|claude(?:\.local)?|gemini|qwen)\.md$/,
  /(?:^|\/)(?:\.mcp|\.claude|opencode)\.jsonc?$/,
  /(?:^|\/)\.vscode\/(?:mcp|tasks)\.json$/,
  /^\.github\/(?:copilot-instructions\.md$|(?:instructions|agents|prompts|chatmodes)(?:\/|$))/,
];
