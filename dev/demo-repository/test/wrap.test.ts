import assert from "node:assert/strict";
import { test } from "node:test";
import { wrap } from "../src/wrap.ts";

test("wrap breaks between words", () => {
  assert.equal(wrap("a line that is too long", 10), "a line\nthat is\ntoo long");
});

test("wrap fills a line to its last character", () => {
  assert.equal(wrap("one two three", 7), "one two\nthree");
});

test("wrap leaves a word that is longer than a line whole", () => {
  assert.equal(wrap("an incomprehensible word", 8), "an\nincomprehensible\nword");
});

test("wrap keeps blank lines", () => {
  assert.equal(wrap("one\n\ntwo", 10), "one\n\ntwo");
});
