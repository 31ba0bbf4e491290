/**
 * What a container hands out and what the Worker may publish: files as data, never a patch or a git object.
 * It is untrusted until publish/ has judged it.
 */

/** A file mode as git writes it. `120000` (symlink) and `160000` (submodule) are named so that they can be refused. */
export type FileMode = "100644" | "100755" | "120000" | "160000";

/** One path that differs from the base commit. `content` is base64 of the raw bytes. */
export type FileChange =
  | {
      readonly op: "write";
      readonly path: string;
      readonly mode: FileMode;
      readonly size: number;
      readonly content: string;
    }
  | { readonly op: "delete"; readonly path: string };

/** A path the export tool saw and did not take, with the reason. Shown to people; never silently dropped. */
export type SkippedPath = {
  readonly path: string;
  readonly why: "too-large" | "set-full" | "nested-repository" | "not-utf8-path" | "special-file";
};

/** All that differs from `base`, the commit the container was given. */
export type FileSet = {
  readonly base: { readonly commit: string; readonly tree: string };
  readonly changes: readonly FileChange[];
  readonly skipped: readonly SkippedPath[];
};

/** Caps of the export tool. They guard the Worker's memory; publish/ has its own, stricter ones for reviewers. */
export type ExportLimits = {
  readonly files: number;
  readonly fileBytes: number;
  readonly totalBytes: number;
};
