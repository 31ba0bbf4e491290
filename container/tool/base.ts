/** The record of what is checked out: written last, removed first, so that it never speaks of a half-done checkout. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { refuse } from "./faults.ts";
import type { Places } from "./places.ts";

/** The commit the workspace was filled from. */
export type Base = { readonly commit: string; readonly tree: string };

const fileOf = (places: Places) => join(places.state, "base.json");

/** What the workspace was filled from, or undefined when no checkout finished. */
export function currentBase(places: Places): Base | undefined {
  let text: string;
  try {
    text = readFileSync(fileOf(places), "utf8");
  } catch {
    return undefined;
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || !("commit" in value) || !("tree" in value))
    return undefined;
  const { commit, tree } = value;
  return typeof commit === "string" && typeof tree === "string" ? { commit, tree } : undefined;
}

/** The same, for subcommands that make no sense without one. */
export function requireBase(places: Places): Base {
  return currentBase(places) ?? refuse("no-checkout", "nothing is checked out");
}

export function forgetBase(places: Places): void {
  rmSync(fileOf(places), { force: true });
}

/** Record a finished checkout in one step: a rename, so that a kill leaves the old state or the new one. */
export function recordBase(places: Places, base: Base): void {
  const draft = `${fileOf(places)}.new`;
  writeFileSync(draft, JSON.stringify(base), { mode: 0o600 });
  renameSync(draft, fileOf(places));
}
