/**
 * Reading the tool's input by hand: each check names the field it missed. A schema library would cost more start-up
 * time than the rest of the tool together.
 */
import type { Checkout, RunOrder } from "../../src/domain/container-protocol.ts";
import { GIT_HOST } from "../../src/domain/container-protocol.ts";
import type { ExportLimits, FileChange } from "../../src/domain/file-set.ts";
import { refuse } from "./faults.ts";

type Fields = { readonly [name: string]: unknown };

/** At most this many commits of history: enough to read, never a whole repository by mistake. */
const MAX_DEPTH = 10_000;
const MAX_SECONDS = 24 * 60 * 60;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse("bad-input", `${what} is not an object`);
  }
  return Object.fromEntries(Object.entries(value));
}

function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : refuse("bad-input", `${name} is not a string`);
}

function wholeOf(fields: Fields, name: string, least: number, most: number): number {
  const value = fields[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least || value > most) {
    return refuse("bad-input", `${name} is not a whole number from ${least} to ${most}`);
  }
  return value;
}

/** A checkout order. Only plain http to the git host, and only a full object id: a name could move. */
export function checkoutInput(value: unknown): Checkout {
  const fields = fieldsOf(value, "checkout");
  const url = textOf(fields, "url");
  const parsed = URL.canParse(url) ? new URL(url) : refuse("bad-input", "url is not a URL");
  if (
    parsed.protocol !== "http:" ||
    parsed.host !== GIT_HOST ||
    parsed.username !== "" ||
    parsed.password !== ""
  ) {
    refuse("bad-input", `url is not a plain http address on ${GIT_HOST}`);
  }
  const commit = textOf(fields, "commit");
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) refuse("bad-input", "commit is not a full object id");
  return { url: parsed.href, commit, depth: wholeOf(fields, "depth", 1, MAX_DEPTH) };
}

/** Export limits. */
export function exportInput(value: unknown): ExportLimits {
  const limits = fieldsOf(fieldsOf(value, "input")["limits"], "limits");
  return {
    files: wholeOf(limits, "files", 0, 1_000_000),
    fileBytes: wholeOf(limits, "fileBytes", 0, 1024 ** 3),
    totalBytes: wholeOf(limits, "totalBytes", 0, 1024 ** 3),
  };
}

/** The changes to apply. Paths are judged in paths.ts; here only the shape. */
export function applyInput(value: unknown): FileChange[] {
  const { changes } = fieldsOf(value, "input");
  if (!Array.isArray(changes)) return refuse("bad-input", "changes is not a list");
  return changes.map((change: unknown) => changeOf(fieldsOf(change, "change")));
}

function changeOf(fields: Fields): FileChange {
  const path = textOf(fields, "path");
  if (fields["op"] === "delete") return { op: "delete", path };
  if (fields["op"] !== "write") return refuse("bad-input", "op is neither write nor delete");
  const mode = textOf(fields, "mode");
  if (mode !== "100644" && mode !== "100755") return refuse("path-refused", `mode ${mode} of ${path}`);
  const content = textOf(fields, "content");
  const size = wholeOf(fields, "size", 0, 1024 ** 3);
  const bytes = Buffer.from(content, "base64");
  if (bytes.toString("base64") !== content || bytes.length !== size) {
    return refuse("bad-input", `content of ${path} is not base64 of ${size} bytes`);
  }
  return { op: "write", path, mode, size, content };
}

/** A command to run. */
export function runInput(value: unknown): RunOrder {
  const fields = fieldsOf(value, "input");
  const { argv } = fields;
  const words = Array.isArray(argv) ? argv.filter((word: unknown) => typeof word === "string") : [];
  if (!Array.isArray(argv) || words.length !== argv.length || words.length === 0 || words[0] === "") {
    return refuse("bad-input", "argv is not a list of words");
  }
  if (words.some((word) => word.includes("\0"))) return refuse("bad-input", "argv holds a NUL");
  return {
    argv: words,
    cwd: textOf(fields, "cwd"),
    seconds: wholeOf(fields, "seconds", 1, MAX_SECONDS),
    outputBytes: wholeOf(fields, "outputBytes", 0, MAX_OUTPUT_BYTES),
  };
}
