import { expect, it } from "vitest";
import { Refusal } from "../../../container/tool/faults.ts";
import { applyInput, checkoutInput, exportInput, runInput } from "../../../container/tool/input.ts";
import { placesFrom } from "../../../container/tool/places.ts";

/** The fault that `work` refuses with. */
function faultOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Refusal) return thrown.fault.why;
    throw thrown;
  }
  return "none";
}

const checkout = { url: "http://git.internal/a/b.git", commit: "a".repeat(40), depth: 1 };
const run = { argv: ["ls"], cwd: "", seconds: 1, outputBytes: 0 };

it("takes whole orders as they are", () => {
  expect(checkoutInput(checkout)).toEqual(checkout);
  expect(runInput(run)).toEqual(run);
  const limits = { files: 0, fileBytes: 1, totalBytes: 2 };
  expect(exportInput({ limits })).toEqual(limits);
});

it.each([
  "https://git.internal/a.git",
  "http://git.internal.evil.example/a.git",
  "http://git.internal:8080/a.git",
  "http://user:pass@git.internal/a.git",
  "http://token@git.internal/a.git",
  "file:///etc",
  "ext::sh -c id",
  "git.internal/a.git",
  "--upload-pack=id",
])("does not fetch from %s", (url) => {
  expect(faultOf(() => checkoutInput({ ...checkout, url }))).toBe("bad-input");
});

it.each(["HEAD", "main", "--upload-pack=id", "A".repeat(40), "a".repeat(39), `${"a".repeat(40)}\n`])(
  "does not take %j for a commit",
  (commit) => {
    expect(faultOf(() => checkoutInput({ ...checkout, commit }))).toBe("bad-input");
  },
);

it.each([[[]], [[""]], ["ls"], [["a\0b"]], [[1]], [undefined]])("does not take %j for a command", (argv) => {
  expect(faultOf(() => runInput({ ...run, argv }))).toBe("bad-input");
});

it.each([0, 1.5, -1, "9", null, Infinity])("does not take %j for seconds or a depth", (value) => {
  expect(faultOf(() => runInput({ ...run, seconds: value }))).toBe("bad-input");
  expect(faultOf(() => checkoutInput({ ...checkout, depth: value }))).toBe("bad-input");
});

it.each([null, [], "x", 1, {}])("names %j as no input at all", (value) => {
  for (const read of [checkoutInput, exportInput, applyInput, runInput]) {
    expect(faultOf(() => read(value))).toBe("bad-input");
  }
});

it("takes the agent's user from the environment only as root, and never root itself", () => {
  const env = { PATCHWRIGHT_AGENT_UID: "1000", PATCHWRIGHT_AGENT_GID: "1001" };
  expect(placesFrom(env, 0)).toEqual({
    workspace: "/workspace",
    state: "/var/lib/patchwright",
    agent: { uid: 1000, gid: 1001 },
  });
  expect(placesFrom(env, 500)).not.toHaveProperty("agent");
  expect(placesFrom({ ...env, PATCHWRIGHT_AGENT_UID: "0" }, 0)).not.toHaveProperty("agent");
  expect(placesFrom({ PATCHWRIGHT_AGENT_UID: "nobody" }, 0)).not.toHaveProperty("agent");
});
