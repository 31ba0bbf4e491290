import { createPrivateKey, generateKeyPairSync, createPublicKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import { keyMend, readPrivateKey } from "../../../src/github/private-key.ts";

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pkcs1 = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
const pkcs8 = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("a private key is read", () => {
  it.each([
    ["as GitHub hands it out (PKCS#1)", pkcs1],
    ["as WebCrypto wants it (PKCS#8)", pkcs8],
    ["with line breaks written out", pkcs1.replaceAll("\n", "\\n")],
    ["with Windows line breaks written out", pkcs1.replaceAll("\n", "\\r\\n")],
    ["with Windows line breaks", pkcs1.replaceAll("\n", "\r\n")],
    ["with the line breaks of an old Mac", pkcs1.replaceAll("\n", "\r")],
    ["with spaces for line breaks", pkcs1.replaceAll("\n", " ")],
    ["with no line breaks in its body", pkcs1.replaceAll(/(?<!-)\n(?!-)/g, "")],
    ["with indented lines", pkcs1.replaceAll("\n", "\n    ")],
    ["in double quotes", `"${pkcs1}"`],
    ["in single quotes, line breaks written out", `'${pkcs1.replaceAll("\n", "\\n")}'`],
    ["with blank lines around it", `\n\n${pkcs1}\n\n`],
    ["as base64 of the whole file", base64(pkcs1)],
    ["as base64 in lines", base64(pkcs1).replaceAll(/(.{76})/g, "$1\n")],
    ["as base64 of PKCS#8 with Windows line breaks", base64(pkcs8.replaceAll("\n", "\r\n"))],
  ])("%s", (_, text) => {
    const read = readPrivateKey(text);
    expect(read).toEqual({ ok: true, value: pkcs8 });
  });

  it("into what WebCrypto signs with", async () => {
    const read = readPrivateKey(pkcs1);
    const pem = read.ok ? read.value : "";
    const der = Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64");
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
    expect((await crypto.subtle.sign(algorithm, key, Buffer.from("x"))).byteLength).toBe(256);
  });
});

const encrypted = { cipher: "aes-256-cbc", passphrase: "secret" } as const;
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const ed25519 = generateKeyPairSync("ed25519").privateKey;
const lines = pkcs1.trim().split("\n");

describe("what is no usable key is named", () => {
  const cases: [string, string, string][] = [
    ["nothing", "", "key-missing"],
    ["blanks", " \n ", "key-missing"],
    ["empty quotes", '""', "key-missing"],
    ["written-out line breaks and no more", "\\n\\n", "key-missing"],
    ["a path", "/home/ada/key.pem", "key-not-pem"],
    ["a word", "todo", "key-not-pem"],
    ["base64 of something else", base64("hello, this is no key"), "key-not-pem"],
    ["the body without its frame", lines.slice(1, -1).join("\n"), "key-not-pem"],
    ["a file that starts too late", lines.slice(1).join("\n"), "key-not-pem"],
    [
      "PKCS#8 with a passphrase",
      privateKey.export({ type: "pkcs8", format: "pem", ...encrypted }).toString(),
      "key-encrypted",
    ],
    [
      "PKCS#1 with a passphrase",
      privateKey.export({ type: "pkcs1", format: "pem", ...encrypted }).toString(),
      "key-encrypted",
    ],
    ["an EC key", ec.export({ type: "sec1", format: "pem" }).toString(), "key-not-rsa"],
    ["an EC key as PKCS#8", ec.export({ type: "pkcs8", format: "pem" }).toString(), "key-not-rsa"],
    ["an Ed25519 key", ed25519.export({ type: "pkcs8", format: "pem" }).toString(), "key-not-rsa"],
    [
      "a public key",
      createPublicKey(createPrivateKey(pkcs1)).export({ type: "spki", format: "pem" }).toString(),
      "key-broken",
    ],
    ["a file without its last line", lines.slice(0, -1).join("\n"), "key-broken"],
    ["a file without a line in the middle", lines.toSpliced(5, 1).join("\n"), "key-broken"],
    ["a file cut in half", pkcs1.slice(0, pkcs1.length / 2), "key-broken"],
    [
      "a frame around nothing",
      "-----BEGIN RSA PRIVATE KEY-----\n-----END RSA PRIVATE KEY-----",
      "key-broken",
    ],
    ["a certificate's frame", pkcs1.replaceAll("RSA PRIVATE KEY", "CERTIFICATE"), "key-broken"],
  ];

  it.each(cases)("%s", (_, text, why) => {
    expect(readPrivateKey(text)).toEqual({ ok: false, fault: { why } });
  });

  it.each(cases)("with a mend that says nothing of the text: %s", (_, text) => {
    const read = readPrivateKey(text);
    const said = read.ok ? "" : keyMend(read.fault);
    expect(said).toMatch(/^it .*\.$/);
    for (const word of text.match(/[A-Za-z0-9+/]{12,}/g) ?? []) expect(said).not.toContain(word);
  });
});
