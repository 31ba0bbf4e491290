import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromBase64, fromHex, sha256Hex, toHex } from "../../../src/lib/bytes.ts";
import { parseable } from "../../../src/lib/parseable.ts";
import { wholeCharacters } from "../../../src/lib/whole-characters.ts";

describe("hex", () => {
  it("of any bytes comes back as they were, in either case", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(fromHex(toHex(bytes))).toEqual(bytes);
        expect(fromHex(toHex(bytes).toUpperCase())).toEqual(bytes);
      }),
    );
  });

  it.each(["a", "abc", "0x12", "zz", "a ", " 1", "١٢", "1\n"])("is not %j", (text) => {
    expect(fromHex(text)).toBeUndefined();
  });
});

describe("base64", () => {
  it("of any bytes comes back as they were, in lines as GitHub sends it", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = Buffer.from(bytes)
          .toString("base64")
          .replaceAll(/(.{60})/g, "$1\n");
        expect(fromBase64(text)).toEqual(bytes);
      }),
    );
  });

  it.each(["a", "a===", "-_-_", "é", "YQ==YQ=="])("is not %j", (text) => {
    expect(fromBase64(text)).toBeUndefined();
  });
});

it("SHA-256 is that of FIPS 180-4", async () => {
  expect(await sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

it("a cut never leaves half a character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-composite" }), fc.nat(40), (text, at) => {
      expect(wholeCharacters(text.slice(0, at)).isWellFormed()).toBe(true);
    }),
  );
});

describe("what a parser may be given", () => {
  it.each([
    ["ordinary text of any length", "A sentence, as people write them.\n".repeat(5_000)],
    ["many delimiters in a short text", "*_".repeat(8_000)],
    ["a long text with few", `${"x".repeat(60_000)}${"*".repeat(4_000)}`],
    ["quotes forty deep", `${"> ".repeat(40)}a`],
    ["a rule of a hundred dashes", "-".repeat(100)],
  ])("is all of %s", (_, text) => {
    expect(parseable(text)).toBe(text);
  });

  it.each([
    ["delimiters, one more than may be", "*".repeat(4_001).padEnd(20_000, "x"), 16_000],
    ["setext underlines", "a\n=\n".repeat(16_000), 16_000],
    ["quotes forty-one deep", `hello\n${"> ".repeat(41)}a`, 6],
    ["quotes without spaces", `hello\n${">".repeat(41)}a`, 6],
    ["lists of all kinds", `hello\n${"- 1. > ".repeat(14)}a`, 6],
  ])("is only the start of %s", (_, text, length) => {
    expect(parseable(text)).toBe(text.slice(0, length));
  });
});
