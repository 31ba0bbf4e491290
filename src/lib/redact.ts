/**
 * The second line of defence for text that leaves us (comments, pull requests, logs): secrets we hold, and shapes of
 * secrets we know, become `[redacted]`. The first line is that no room that makes text holds a secret.
 */
import { toHex } from "./bytes.ts";

/**
 * Shapes of credentials. GitHub's installation tokens come in two forms since 2026: `ghs_` with 36 letters, and
 * `ghs_APPID_JWT` of about 520 characters with dots, dashes and underscores.
 */
const SHAPES: readonly RegExp[] = [
  /\bgh[pousr]_[A-Za-z0-9._-]{30,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{22,}/g,
  /\bsk-[A-Za-z0-9_-]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
];

/** Shorter secrets would redact ordinary words. Guards readability, not secrecy: our secrets are all longer. */
const SHORTEST_SECRET = 8;

const REPLACEMENT = "[redacted]";

/**
 * Text without secrets.
 * @param text what is about to leave
 * @param secrets exact values to remove, in raw, base64, base64url, hex, URL-encoded and JSON-escaped form
 */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue;
    for (const form of formsOf(secret)) clean = clean.replaceAll(form, REPLACEMENT);
  }
  for (const shape of SHAPES) clean = clean.replace(shape, REPLACEMENT);
  return clean;
}

function formsOf(secret: string): Set<string> {
  const bytes = new TextEncoder().encode(secret);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const hex = toHex(bytes);
  const base64 = btoa(binary).replace(/=+$/, "");
  const base64url = base64.replaceAll("+", "-").replaceAll("/", "_");
  const escaped = JSON.stringify(secret).slice(1, -1);
  return new Set([secret, escaped, base64, base64url, hex, hex.toUpperCase(), encodeURIComponent(secret)]);
}
