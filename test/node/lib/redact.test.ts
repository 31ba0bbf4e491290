import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLog } from "../../../src/lib/log.ts";
import { redact } from "../../../src/lib/redact.ts";

const JWT = `eyJ${"hbGciOi".repeat(3)}.eyJ${"pc3MiOi".repeat(3)}.${"sig-_".repeat(9)}`;

describe("a known shape of secret", () => {
  it.each([
    ["an installation token", `ghs_${"aB3dE6".repeat(6)}`],
    ["an installation token of the longer form", `ghs_123456_${JWT.repeat(5)}`],
    ["a personal token", `ghp_${"aB3dE6".repeat(6)}`],
    ["a user-to-server token", `ghu_${"aB3dE6".repeat(6)}`],
    ["an OAuth token", `gho_${"aB3dE6".repeat(6)}`],
    ["a refresh token", `ghr_${"aB3dE6".repeat(12)}`],
    ["a fine-grained token", `github_pat_11ABCDEFG0${"aB3dE6_".repeat(10)}`],
    ["an Anthropic key", `sk-ant-api03-${"aB3_-".repeat(18)}AA`],
    ["an OpenAI key", `sk-proj-${"aB3_-".repeat(10)}`],
    ["an AWS key id", "AKIAIOSFODNN7EXAMPLE"],
    ["a Slack token", "xoxb-1234567890-abcdefghij"],
    ["a JWT", JWT],
    ["a private key", `-----BEGIN RSA PRIVATE KEY-----\n${"MIIE\n".repeat(20)}-----END RSA PRIVATE KEY-----`],
    ["a PKCS#8 key", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"],
    ["a private key that breaks off", `-----BEGIN PRIVATE KEY-----\n${"MIIE\n".repeat(20)}`],
  ])("is removed whole wherever it stands: %s", (_, secret) => {
    expect(redact(secret)).toBe("[redacted]");
    expect(redact(`x=${secret}`)).toBe("x=[redacted]");
    expect(redact(`("${secret}`)).toBe('("[redacted]');
    expect(redact(JSON.stringify({ a: secret }))).not.toContain(secret.slice(30, 60) || secret);
    expect(redact(`https://x-access-token:${secret}@github.example/a`)).not.toContain(secret.slice(0, 20));
  });

  it.each([
    "ghs_short",
    "The ghp_ prefix marks a personal token.",
    "sk-learn and sk-toolkit",
    "0123456789abcdef0123456789abcdef01234567",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
    "eyJ is how a JWT starts",
    "task-1234567890-1234567890-1234567890",
  ])("is not seen in %j", (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("a secret we hold", () => {
  const SECRET = "pa$$wörd/with+odd&chars?>";
  const bytes = Buffer.from(SECRET);

  it.each([
    ["as it is", SECRET],
    ["in base64", bytes.toString("base64")],
    ["in base64 without padding", bytes.toString("base64").replace(/=+$/, "")],
    ["in base64url", bytes.toString("base64url")],
    ["in hex", bytes.toString("hex")],
    ["in upper-case hex", bytes.toString("hex").toUpperCase()],
    ["URL-encoded", encodeURIComponent(SECRET)],
  ])("is removed %s, each time it stands there", (_, form) => {
    const clean = redact(`a ${form} b ${form}c`, [SECRET]);
    expect(clean).not.toContain(form);
    expect(clean).toMatch(/^a \[redacted\]=* b \[redacted\]=*c$/);
  });

  it("is removed within JSON, where it is written with escapes", () => {
    const secret = 'quo"ted\\secret\nof two lines';
    expect(redact(JSON.stringify({ text: `x ${secret} y` }), [secret])).toBe('{"text":"x [redacted] y"}');
  });

  it("is not a pattern", () => {
    expect(redact("aXXXXXXXXb", ["........"])).toBe("aXXXXXXXXb");
    expect(redact("$& $1 secret-$&", ["secret-$&"])).toBe("$& $1 [redacted]");
  });

  it("that is shorter than eight characters is not: it would redact words", () => {
    expect(redact("a secret1 b", ["secret"])).toBe("a secret1 b");
    expect(redact("a secret12 b", ["secret12"])).toBe("a [redacted] b");
  });

  it("leaves no trace in any text", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40 }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          const clean = redact(before + secret + after, [secret]);
          expect(clean.replaceAll("[redacted]", "")).not.toContain(secret);
        },
      ),
    );
  });
});

describe("a line of the log", () => {
  it("is one line of JSON, whatever is in its fields", () => {
    const lines: [string, string][] = [];
    const log = createLog([], (line, level) => lines.push([line, level]));
    log.info("a.b", { text: 'two\nlines "quoted"', n: 1, left: undefined });
    log.error("c.d");
    expect(lines.map(([line]) => line.includes("\n"))).toEqual([false, false]);
    expect(lines.map(([line, level]) => [JSON.parse(line), level])).toEqual([
      [{ level: "info", event: "a.b", text: 'two\nlines "quoted"', n: 1 }, "info"],
      [{ level: "error", event: "c.d" }, "error"],
    ]);
  });

  it("holds no secret, also one with characters that JSON escapes", () => {
    const secrets = [
      "a-plain-secret",
      'one "with" \\ all\nof it',
      "-----BEGIN PRIVATE KEY-----\nMIIEabc\n-----END PRIVATE KEY-----\n",
    ];
    const lines: string[] = [];
    const log = createLog(secrets, (line) => lines.push(line));
    for (const secret of secrets) log.error("x", { error: `it failed with ${secret}, sorry` });
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ error: expect.stringContaining("it failed with [redacted]") });
      expect(line).not.toMatch(/a-plain|with.. |MIIE/);
    }
  });
});
