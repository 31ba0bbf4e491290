/**
 * `npm test`: format, lint, types, dead exports, then every test that needs no Docker. Each part says what it is; the
 * first that fails does not keep the others from telling what they found.
 */
import { spawnSync } from "node:child_process";

const vitest = process.argv.slice(2);

const PARTS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ["format", "oxfmt", "--check", "."],
  ["lint", "oxlint", "--type-aware", "--deny-warnings"],
  ["types of what runs in workerd", "tsc", "-p", "tsconfig.json"],
  ["types of what runs in Node", "tsc", "-p", "tsconfig.node.json"],
  ["unused code", "knip", "--no-progress"],
  ["tests", "vitest", "run", ...vitest],
];

// Arguments are for vitest: then only it runs, for a quick look at one file.
const chosen = vitest.length > 0 ? PARTS.slice(-1) : PARTS;
const failed: string[] = [];
for (const [name, command, ...args] of chosen) {
  console.log(`\n── ${name}`);
  const ran = spawnSync(command, args, { stdio: "inherit" });
  if (ran.status !== 0) failed.push(name);
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
