/** Which paths `apply` writes to. publish/ has stricter rules of its own; this list guards the container's disk. */

/** Longest path git and the usual file systems take. */
const MAX_PATH_BYTES = 4096;
const MAX_SEGMENT_BYTES = 255;

/** Code points that HFS+ leaves out when it compares names, so that `.g\u200cit` opens `.git` there. */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu;

/** Why a path is refused, or undefined when it is fine: relative, plain segments, none of them git's own folder. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "empty path";
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return "path too long";
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) return "control character";
  if (/\p{Surrogate}/u.test(path)) return "not Unicode text";
  if (path.includes("\\")) return "backslash";
  for (const segment of path.split("/")) {
    if (segment === "") return "empty segment";
    if (segment === "." || segment === "..") return "dot segment";
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return "segment too long";
    if (isGitFolder(segment)) return "git's own folder";
  }
  return undefined;
}

/**
 * Whether some file system would take this name for `.git`: any case (APFS, NTFS), trailing dots and spaces or a
 * stream suffix (NTFS), its short name `git~1` (NTFS), ignorable code points (HFS+).
 */
export function isGitFolder(segment: string): boolean {
  const plain = segment
    .replace(IGNORED_BY_HFS, "")
    .toLowerCase()
    .replace(/:.*$/, "")
    .replace(/[. ]+$/, "");
  return plain === ".git" || /^git~\d+$/.test(plain);
}
