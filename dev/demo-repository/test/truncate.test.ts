import assert from "node:assert/strict";
import { test } from "node:test";
import { truncate } from "../src/truncate.ts";

test("truncate returns a text that fits as it is", () => {
  assert.equal(truncate("one two", 7), "one two");
});

test("truncate cuts between words", () => {
  assert.equal(truncate("The quick brown fox", 12), "The quick…");
});

test("truncate keeps a word that ends exactly where the room ends", () => {
  assert.equal(truncate("one two three", 8), "one two…");
});

test("truncate cuts a single long word where it must", () => {
  assert.equal(truncate("incomprehensible", 6), "incom…");
});

test("truncate counts the mark", () => {
  assert.equal(truncate("one two three", 11, "..."), "one two...");
});

test("truncate gives up on the text when only the mark fits", () => {
  assert.equal(truncate("one two three", 1), "…");
});
