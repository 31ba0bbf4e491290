/** How the tool refuses: one thrown shape inside, `ToolFault` outside. `main.ts` is the only place that catches it. */
import type { ToolFault } from "../../src/domain/container-protocol.ts";

const DETAIL_CHARACTERS = 400;

/** A refusal on its way to the answer. */
export class Refusal extends Error {
  readonly fault: ToolFault;
  constructor(fault: ToolFault) {
    super(`${fault.why}: ${fault.detail}`);
    this.fault = fault;
  }
}

/** Refuse. `detail` may quote text from outside, so it is put on one line and cut. */
export function refuse(why: ToolFault["why"], detail: string): never {
  throw new Refusal({ why, detail: oneLine(detail) });
}

/** Printable text on one line, at most 400 characters. */
function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, DETAIL_CHARACTERS);
}

/** The fault for anything thrown, or undefined for a defect of ours. A full or read-only disk is a fact, not a defect. */
export function faultOf(thrown: unknown): ToolFault | undefined {
  if (thrown instanceof Refusal) return thrown.fault;
  const code = errorCode(thrown);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EROFS" || code === "EIO") {
    return { why: "disk", detail: oneLine(String(thrown)) };
  }
  return undefined;
}

/** The `code` of a Node system error, if it is one. */
export function errorCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown)) return undefined;
  return typeof thrown.code === "string" ? thrown.code : undefined;
}
