import assert from "node:assert/strict";
import { test } from "node:test";
import { initials } from "../src/initials.ts";

test("initials takes the first letters", () => {
  assert.equal(initials("Ada Lovelace"), "AL");
});

test("initials keeps the first and the last of many", () => {
  assert.equal(initials("Johann Sebastian Bach"), "JB");
});

test("initials counts the parts of a double name", () => {
  assert.equal(initials("Jean-Luc Picard", 3), "JLP");
});
