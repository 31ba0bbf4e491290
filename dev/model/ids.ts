/** Ids that look like the providers' own, and the tag that a tool call's id carries for a stateless server. */
import { createHash, randomBytes } from "node:crypto";

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const TAG_LENGTH = 10;
const CALL_TAIL_LENGTH = 22;

/** `count` random characters of the alphabet the Anthropic API's ids use. */
function randomText(count: number): string {
  return spell(randomBytes(count));
}

/** e.g. `msg_01…`, `req_011C…`: a prefix and 24 characters. */
export function freshId(prefix: "msg_01" | "req_01"): string {
  return prefix + randomText(22);
}

/** e.g. `resp_…`, `fc_…`: the Responses API spells its ids in hexadecimal. */
export function freshHexId(prefix: "resp_" | "msg_" | "fc_" | "ctc_" | "req_"): string {
  return prefix + randomBytes(24).toString("hex");
}

/** The same text has the same tag, on every run. */
export function tagOf(text: string): string {
  return spell(createHash("sha256").update(text).digest().subarray(0, TAG_LENGTH));
}

/** A tool call's id that `carriesTag` recognises when the client sends it back. */
export function callId(prefix: "toolu_01" | "call_", tag: string): string {
  return prefix + tag + randomText(CALL_TAIL_LENGTH - tag.length);
}

export function carriesTag(id: string, tag: string): boolean {
  return id.startsWith(`toolu_01${tag}`) || id.startsWith(`call_${tag}`);
}

function spell(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join("");
}
