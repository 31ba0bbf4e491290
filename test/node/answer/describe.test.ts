import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { describeMethods } from "../../../src/answer/describe.ts";
import { METHODS } from "../../../src/answer/methods.ts";

const TSC = resolve(import.meta.dirname, "../../../node_modules/.bin/tsc");

/** What the compiler says of the declaration followed by a program. */
async function compiled(program: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "describe-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "program.ts");
  await writeFile(file, `${describeMethods()}\nexport {};\n${program}\n`);
  const options = [
    "--noEmit",
    "--strict",
    "--target",
    "es2024",
    "--module",
    "esnext",
    "--types",
    "",
    "--ignoreConfig",
  ];
  return promisify(execFile)(process.execPath, [TSC, ...options, file]).then(
    () => "",
    (error: { stdout: string }) => error.stdout,
  );
}

it("the methods, as the model is shown them, are TypeScript that fits how they are called", async () => {
  const program = `
const { files, truncated } = await repo.listFiles();
const kind: "file" | "symlink" | "submodule" | undefined = files[0]?.kind;
const some: boolean = (await repo.listFiles({ glob: "src/**" })).truncated || truncated;
const { text, lines } = await repo.readFile({ path: "a", start: 1, end: 2 });
const { matches } = await repo.search({ query: "a", regexp: true, limit: 3 });
const line: number | undefined = matches[0]?.line;
const thread = await repo.readThread();
const state: "open" | "closed" = thread.state;
const at: string | undefined = thread.comments[0]?.at;
const { commits } = await repo.listCommits({ path: "a", count: 3 });
const subject: string | undefined = commits[0]?.subject;
const { diff } = await repo.readDiff({ commit: "0123456" });
// @ts-expect-error a path is needed
await repo.readFile();
// @ts-expect-error a path is a text
await repo.readFile({ path: 1 });
// @ts-expect-error there is no such argument
await repo.search({ query: "a", flags: "i" });
// @ts-expect-error there is no such method
await repo.writeFile({ path: "a" });
export { kind, some, text, lines, line, state, at, subject, diff };`;
  expect(await compiled(program)).toBe("");
});

it("every method is shown, with what it is about", () => {
  const shown = describeMethods();
  for (const [name, { about }] of Object.entries(METHODS)) {
    expect(shown).toContain(`  /** ${about} */\n  ${name}(`);
  }
  expect(shown).not.toContain("unknown");
});
