import assert from "node:assert/strict";
import { test } from "node:test";
import { pluralize } from "../src/pluralize.ts";

test("pluralize leaves one alone", () => {
  assert.equal(pluralize(1, "file"), "1 file");
});

test("pluralize guesses the usual plurals", () => {
  assert.equal(pluralize(2, "file"), "2 files");
  assert.equal(pluralize(2, "box"), "2 boxes");
  assert.equal(pluralize(0, "entry"), "0 entries");
  assert.equal(pluralize(2, "day"), "2 days");
});

test("pluralize takes the plural it is given", () => {
  assert.equal(pluralize(2, "child", "children"), "2 children");
});
