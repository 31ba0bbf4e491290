import assert from "node:assert/strict";
import { test } from "node:test";
import { slugify } from "../src/slugify.ts";

test("slugify joins words in lower case", () => {
  assert.equal(slugify("Hello, World!"), "hello-world");
});

test("slugify takes accents off letters", () => {
  assert.equal(slugify("Crème brûlée"), "creme-brulee");
});

test("slugify spells out letters that have no accent to take off", () => {
  assert.equal(slugify("Straße nach Łódź"), "strasse-nach-lodz");
});

test("slugify keeps letters of other scripts", () => {
  assert.equal(slugify("Привет, мир"), "привет-мир");
  assert.equal(slugify("हिन्दी में"), "हिन्दी-में");
});

test("slugify does not part a word at its apostrophe", () => {
  assert.equal(slugify("It's done"), "its-done");
});

test("slugify leaves out words that do not fit", () => {
  assert.equal(slugify("one two three", { max: 8 }), "one-two");
});
