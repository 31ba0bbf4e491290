import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Methods } from "../../src/answer/methods.ts";
import { PROGRAM_LIMITS, runProgram, type ProgramLimits } from "../../src/answer/program.ts";

const METHODS: Methods = {
  listFiles: async () => ({ files: [{ path: "a.ts", size: 3, kind: "file" }], truncated: false }),
  readFile: async ({ path }) => {
    if (path === "missing") throw new Error("there is no file missing");
    return { path, text: "one", start: 1, end: 1, lines: 1, truncated: false };
  },
  search: async () => ({ matches: [], truncated: false }),
  readThread: async () => {
    throw new Error("not in this test");
  },
  listCommits: async () => ({ commits: [] }),
  readDiff: async () => ({ diff: "", truncated: false }),
};

const run = (code: string, limits: Partial<ProgramLimits> = {}) =>
  runProgram(env.LOADER, code, METHODS, { ...PROGRAM_LIMITS, ...limits });

describe("a program in a Dynamic Worker", () => {
  it("returns what it made of the methods' answers, and the calls it made", async () => {
    const ran = await run(`const { files } = await repo.listFiles({ glob: "*.ts" });
      const { text } = await repo.readFile({ path: files[0].path });
      console.log("looked");
      return { text };`);
    expect(ran).toEqual({
      ok: true,
      value: {
        result: 'looked\n{\n "text": "one"\n}',
        calls: ['listFiles({"glob":"*.ts"})', 'readFile({"path":"a.ts"})'],
      },
    });
  });

  it("runs many calls at once", async () => {
    const ran = await run(
      `const all = await Promise.all(["a", "b", "c"].map((path) => repo.readFile({ path }))); return all.length;`,
    );
    expect(ran).toMatchObject({ ok: true, value: { result: "3" } });
  });

  it("gets a method's error as one it can catch", async () => {
    const ran = await run(
      `try { await repo.readFile({ path: "missing" }) } catch (error) { return error.message }`,
    );
    expect(ran).toMatchObject({ ok: true, value: { result: "repo.readFile: there is no file missing" } });
  });

  it.each([
    ["a method that is not there", `return repo.deleteEverything({})`, "there is no repo.deleteEverything"],
    ["a method of every object", `return repo.constructor({})`, "there is no repo.constructor"],
    ["an argument of the wrong type", `return repo.readFile({ path: 7 })`, "repo.readFile: path"],
    ["an argument that is not known", `return repo.readFile({ path: "a", mode: "rw" })`, "repo.readFile"],
    ["a thrown text", `throw "odd"`, "it threw odd"],
    ["a thrown nothing", `throw undefined`, "it threw"],
  ])("is told of %s", async (_, code, said) => {
    const ran = await run(code);
    expect(ran).toMatchObject({ ok: false, fault: { why: "threw", detail: expect.stringContaining(said) } });
  });

  it.each([
    ["a fetch", `return await (await fetch("https://example.example/")).text()`],
    [
      "a socket",
      `const { connect } = await import("cloudflare:sockets"); const s = connect("example.example:80"); await s.opened; return "open"`,
    ],
  ])("has no network: %s fails", async (_, code) => {
    const ran = await run(code);
    expect(ran).toMatchObject({ ok: false, fault: { why: "threw" } });
  });

  it("has no bindings and no settings of ours", async () => {
    const ran = await run(
      `const { env } = await import("cloudflare:workers"); return Object.keys(env).join();`,
    );
    expect(ran).toMatchObject({ ok: true, value: { result: "(the program returned nothing)" } });
  });

  it.each([
    ["a loop", `while (true) {}`],
    ["a loop whose body is one statement", `let n = 0; for (;;) n++;`],
    ["a loop that catches", `while (true) { try { while (true) {} } catch {} }`],
    ["recursion in an arrow", `const f = (n) => [0].map(() => f(n + 1)); try { f(0) } catch {} while (1) f;`],
    ["a microtask that begets itself", `const f = async () => { await null; return f(); }; return f();`],
  ])("that never ends is stopped and named: %s", async (_, code) => {
    const ran = await run(code, { steps: 20_000 });
    expect(ran).toMatchObject({ ok: false, fault: { why: "too-long" } });
    expect(await run("return 1")).toMatchObject({ ok: true, value: { result: "1" } });
  });

  it.each([
    ["a plain name", `left = 1e15; while (true) {}`, "ReferenceError"],
    [
      "the name its own source tells, by code made from text",
      `const name = /pay_\\w+/.exec(program.toString())[0]; new Function(name + "_left = 1e15")(); while (true) {}`,
      "EvalError",
    ],
  ])("cannot give itself more steps by %s", async (_, code, error) => {
    const ran = await run(code, { steps: 20_000 });
    expect(ran).toMatchObject({ ok: false, fault: { why: "threw", detail: expect.stringContaining(error) } });
  });

  it("that waits for ever is stopped by the clock", async () => {
    const ran = await run(`await new Promise((done) => setTimeout(done, 5000))`, { wallMs: 100 });
    expect(ran).toMatchObject({ ok: false, fault: { why: "too-long" } });
  });

  it("that waits for what never comes is stopped and named", async () => {
    const ran = await run(`await new Promise(() => {})`);
    expect(ran).toMatchObject({ ok: false, fault: { why: "too-long" } });
  });

  it("may make as many calls as it is given, and not one more", async () => {
    const code = (n: number) => `for (let i = 0; i < ${n}; i++) await repo.listFiles({}); return "done"`;
    expect(await run(code(5), { calls: 5 })).toMatchObject({ ok: true });
    expect(await run(code(6), { calls: 5 })).toMatchObject({ ok: false, fault: { why: "too-many-calls" } });
  });

  it("may not ask for what is not there any more often, either: calls count before they are looked at", async () => {
    const code = (n: number) =>
      `for (let i = 0; i < ${n}; i++) await repo.nothing({}).catch(() => {}); return "done"`;
    expect(await run(code(5), { calls: 5 })).toMatchObject({ ok: true, value: { calls: [] } });
    expect(await run(code(6), { calls: 5 })).toMatchObject({
      ok: false,
      fault: { why: "too-many-calls", calls: [] },
    });
  });

  it("that floods the host with calls makes it keep no more than its first ones", async () => {
    const ran = await run(
      `const all = [];
      for (let i = 0; i < 100000; i++) all.push(repo.readFile({ path: "a" }).catch(() => {}));
      await Promise.all(all); return "done"`,
      { calls: 5, steps: 10_000_000 },
    );
    expect(ran).toMatchObject({ ok: false, fault: { why: "too-many-calls" } });
    expect(!ran.ok && ran.fault.calls).toEqual(Array.from({ length: 5 }, () => 'readFile({"path":"a"})'));
  });

  it("has its result cut, with a note of how much, also when it replaces what would cut it", async () => {
    const plain = await run(`return "x".repeat(1000)`, { resultCharacters: 100 });
    expect(plain).toMatchObject({
      ok: true,
      value: { result: expect.stringContaining("900 more characters") },
    });
    const tricky = await run(
      `String.prototype.slice = function () { return "y".repeat(100000) }; return "x".repeat(100000)`,
      {
        resultCharacters: 100,
      },
    );
    expect(tricky.ok && tricky.value.result.length).toBeLessThan(300);
  });

  it.each([
    ["half a statement", `return (`],
    ["a second function smuggled in", `} async function evil() {`],
  ])("that does not parse is refused before it is loaded: %s", async (_, code) => {
    expect(await run(code)).toMatchObject({ ok: false, fault: { why: "syntax" } });
  });
});
