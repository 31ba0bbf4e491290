/**
 * The App's private key in every form people paste it. GitHub hands out PKCS#1 PEM; octokit signs with WebCrypto,
 * which takes PKCS#8 only; secret stores often keep line breaks as the two characters `\n`, or the whole as base64.
 */
import { createPrivateKey } from "node:crypto";
import { fromBase64 } from "../lib/bytes.ts";
import { fail, pass, type Result } from "../lib/result.ts";

export type KeyFault = {
  readonly why: "key-missing" | "key-not-pem" | "key-encrypted" | "key-broken" | "key-not-rsa";
};

/** A PKCS#8 PEM, or why the text is not a usable key. The fault never carries any of the text. */
export function readPrivateKey(text: string): Result<string, KeyFault> {
  const pem = toPem(text);
  if (pem === "") return fail({ why: "key-missing" });
  if (!pem.startsWith("-----BEGIN ")) return fail({ why: "key-not-pem" });
  if (pem.includes("ENCRYPTED")) return fail({ why: "key-encrypted" });
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType !== "rsa") return fail({ why: "key-not-rsa" });
    return pass(key.export({ type: "pkcs8", format: "pem" }).toString());
  } catch {
    return fail({ why: "key-broken" });
  }
}

/** How to mend it, for the operator. */
export function keyMend(fault: KeyFault): string {
  const again = "generate a new private key on the App's settings page and store the whole file";
  switch (fault.why) {
    case "key-missing":
      return `it is empty; ${again}.`;
    case "key-not-pem":
      return `it does not begin with -----BEGIN; ${again}.`;
    case "key-encrypted":
      return "it is protected by a passphrase; store the key without one.";
    case "key-not-rsa":
      return `it is not an RSA key; ${again}.`;
    case "key-broken":
      return `it cannot be read as a private key, perhaps because lines are missing; ${again}.`;
  }
}

function toPem(text: string): string {
  const unquoted = text.trim().replace(/^(["'])([\s\S]*)\1$/, "$2");
  const lines = unquoted.replaceAll("\\r", "").replaceAll("\\n", "\n").replaceAll("\r", "").trim();
  if (lines.startsWith("-----") || !/^[A-Za-z0-9+/=\s]+$/.test(lines)) return onePerLine(lines);
  const decoded = fromBase64(lines);
  const inner = decoded === undefined ? "" : new TextDecoder().decode(decoded).trim();
  return inner.startsWith("-----") ? onePerLine(inner) : lines;
}

/** A key whose line breaks became spaces gets them back. */
function onePerLine(pem: string): string {
  const parts = /^(-----BEGIN [A-Z0-9 ]+-----)([\s\S]*?)(-----END [A-Z0-9 ]+-----)\s*$/.exec(pem);
  if (parts === null || pem.includes("Proc-Type")) return pem;
  const body = (parts[2] ?? "").replace(/\s+/g, "");
  return `${parts[1]}\n${body.replace(/(.{64})/g, "$1\n").trim()}\n${parts[3]}\n`;
}
