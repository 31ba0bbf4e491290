import { env } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { Methods } from "../../src/answer/methods.ts";
import { PROGRAM_LIMITS, runProgram, type ProgramLimits } from "../../src/answer/program.ts";

const unasked = () => Promise.reject(new Error("not in this test"));
const METHODS: Methods = {
  listFiles: async () => ({ files: [], truncated: false }),
  readFile: unasked,
  search: unasked,
  readThread: unasked,
  listCommits: unasked,
  readDiff: unasked,
};
const run = (code: string, limits: Partial<ProgramLimits> = {}) =>
  runProgram(env.LOADER, code, METHODS, { ...PROGRAM_LIMITS, ...limits });

describe("a program that goes around its limits", () => {
  it.each([
    [
      "the stub's prototype",
      "Object.defineProperty(RpcStub.prototype, 'call', { configurable: true, value() { got = this; return { value: 1 }; } });",
    ],
    [
      "Function's",
      "Function.prototype.call = function () { got = this; }; Function.prototype.apply = function () { got = this; };",
    ],
    ["Reflect's", "Reflect.apply = (target, self) => { got = self; };"],
  ])("by %s does not get hold of what counts its calls", async (_, hook) => {
    const ran = await run(
      `let got; const { RpcStub } = await import("cloudflare:workers"); ${hook}
       try { await repo.listFiles({}); } catch {}
       if (RpcStub.prototype && Object.hasOwn(RpcStub.prototype, "call")) delete RpcStub.prototype.call;
       return got === undefined ? "kept out" : typeof got.call;`,
    );
    expect(ran).toMatchObject({ ok: true, value: { result: "kept out" } });
  });

  it.each([
    ["a class's fields", "let d = 0; class A { x = (d++, d < 40 && (new A(), new A()), d--) } new A();"],
    ["getters", "const o = { get x() { return this.x + this.x; } }; try { o.x } catch {} while (1);"],
    ["a generator", "function* g() { while (true) yield 1; } for (const x of g());"],
    [
      "an async iterator",
      "const it = { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: 1, done: false }) }) }; for await (const x of it);",
    ],
  ])("by %s is stopped all the same, and the next one works", async (_, code) => {
    expect(await run(code, { steps: 20_000 })).toMatchObject({ ok: false, fault: { why: "too-long" } });
    expect(await run("return 1")).toMatchObject({ ok: true, value: { result: "1" } });
  });

  it("while a class's fields keep their values", async () => {
    const code =
      "class A { a = 1; #b = (2, 3); c = () => this.#b; static d = [4]; ['e'] = 5; f; } const x = new A(); return [x.a, x.c(), A.d, x.e, x.f];";
    const ran = await run(code);
    expect(ran.ok && JSON.parse(ran.value.result)).toEqual([1, 3, [4], 5, null]);
  });
});
