import { createContext, Script } from "node:vm";
import { describe, expect, it } from "vitest";
import { guardLoops } from "../../../src/answer/guard.ts";

const PURSE = "pay_0";
const STEPS = 100_000;

/** Runs a program with a purse of its own; what it printed comes with what it returned. */
async function run(source: string, steps = STEPS): Promise<unknown> {
  const printed: unknown[] = [];
  let left = steps;
  const pay = () => {
    if (--left < 0) throw new Error("spent");
  };
  const context = createContext({ [PURSE]: pay, print: (value: unknown) => printed.push(value) });
  const program: unknown = new Script(`"use strict";(${source})`).runInContext(context, { timeout: 2_000 });
  if (typeof program !== "function") throw new Error("it is no function");
  const value: unknown = await program({}, { log: (each: unknown) => printed.push(each) });
  return JSON.parse(JSON.stringify({ value, printed }));
}

function guarded(code: string): string {
  const result = guardLoops(code, PURSE);
  if (!result.ok) throw new Error(result.fault.detail);
  return result.value;
}

const original = (code: string) => `async function program(repo, console) {\n${code}\n}`;

const PROGRAMS: [string, string][] = [
  ["an arrow", "return [1, 2].map((n) => n * 2)"],
  ["an arrow without parentheses", "return [1, 2].map(n => n * 2)"],
  ["an arrow that returns an object", "return [1].map((n) => ({ n }))"],
  ["an arrow that returns a sequence", "return [1].map((n) => (n, n + 1))"],
  ["an arrow in parentheses in parentheses", "return [1].map((n) => (((n))))"],
  ["an arrow that returns an arrow", "const add = a => b => c => a + b + c; return add(1)(2)(3)"],
  ["an arrow that returns nothing", "return [1].map(() => {})"],
  ["an arrow that returns a block's value", "return [1].map((n) => { return n })"],
  ["an arrow that returns a template", "return [1].map((n) => `${[n].map((m) => m + 1)}`)"],
  ["an arrow that returns a condition", "return [0, 1].map((n) => n ? (m => m)(2) : 3)"],
  ["an arrow that returns an assignment", "let a; const f = () => a = 3; f(); return a"],
  ["an arrow that returns a regular expression", 'return ["=>"].map((s) => /=>/.test(s))'],
  ["an arrow that returns the text of an arrow", 'return [1].map(() => "() => 1")'],
  ["an arrow behind a comment that has one", "const f = () => /* x => y */ 4; return f()"],
  ["an arrow behind a line that has one", "const f = () => // a => b\n  5; return f()"],
  [
    "an arrow behind comments and parentheses",
    "const f = (a /* => */ = 1) => /* => */ ( /* => */ a); return f()",
  ],
  ["an async arrow", "return Promise.all([1].map(async (n) => await n + 1))"],
  ["an async arrow without parentheses", "return Promise.all([1].map(async n => n))"],
  [
    "defaults that are arrows",
    "const f = (g = (x) => x + 1, { h = () => 2, ...r } = {}) => g(h()) + Object.keys(r).length; return f()",
  ],
  [
    "defaults that use what stands before them",
    "const f = ([a = 1, b = (() => a + 1)()] = []) => a + b; return f()",
  ],
  ["for", "let s = 0; for (let i = 0; i < 5; i++) s += i; return s"],
  [
    "for with closures per turn",
    "const f = []; for (let i = 0; i < 3; i++) f.push(() => i); return f.map((g) => g())",
  ],
  ["for with nothing in its head", "let i = 0; for (;;) { if (i++ > 3) break } return i"],
  ["for with an empty body", "let i = 0; for (; i < 3; i++); return i"],
  [
    "for with an arrow in its head",
    "let r = 0; for (let f = (x) => (x in { 1: 0 }), i = 0; i < 2; i++) if (f(i)) r = i; return r",
  ],
  ["for in", "const k = []; for (const key in { a: 1, b: 2 }) k.push(key); return k"],
  [
    "for of with destructuring",
    "let s = 0; for (const { a = 1, b: [c] } of [{ b: [2] }]) s += a + c; return s",
  ],
  ["for await", "const r = []; for await (const x of [Promise.resolve(1), 2]) r.push(x); return r"],
  ["while", "let i = 0; while (i < 3) i++; return i"],
  [
    "while whose body is if and else",
    "let i = 0, o = 0; while (i < 4) if (i++ % 2) o++; else o += 10; return o",
  ],
  ["do while", "let i = 0; do i++; while (i < 3); return i"],
  ["do while on one line, without a semicolon behind it", "let i = 0; do { i++ } while (i < 3) return i"],
  [
    "loops in loops without blocks",
    "let s = 0; for (const a of [1, 2]) for (const b of [1, 2]) while (s < a * b) s++; return s",
  ],
  ["a loop whose body ends in an arrow", "let f; let i = 0; while (i++ < 1) f = () => i\nreturn f()"],
  [
    "labels",
    "let s = 0; outer: for (const a of [1, 2, 3]) { for (const b of [1, 2]) { if (b === 2) continue outer; if (a === 3) break outer; s += a } } return s",
  ],
  [
    "labels without blocks",
    "let s = 0; outer: for (const a of [1, 2]) for (const b of [1, 2]) if (b === 2) continue outer; else s += a; return s",
  ],
  ["a label on a block", "let s = 1; here: { if (s) break here; s = 2 } return s"],
  ["a label in a loop", "let n = 0; for (const a of [1, 2]) here: for (;;) { n += a; break here } return n"],
  [
    "switch in a loop",
    "const r = []; for (const x of [1, 2, 3]) switch (x) { case 1: continue; case 2: r.push('two'); break; default: r.push('many') } return r",
  ],
  [
    "try and finally in a loop",
    "const r = []; for (const x of [1, 2, 3]) try { if (x === 2) continue; r.push(x) } finally { r.push('f') } return r",
  ],
  ["finally that overrides", "const f = () => { try { return 1 } finally { return 2 } }; return f()"],
  ["catch without a name", "try { null.x } catch { return 'caught' }"],
  ["a generator", "function* g(n) { while (n > 0) yield n--; return 'end' } return [...g(3)]"],
  [
    "a generator that delegates and is told",
    "function* a() { const x = yield 1; return x } function* b() { const r = yield* a(); yield r } const i = b(); i.next(); return i.next(7).value",
  ],
  [
    "an async generator",
    "async function* g() { for (let i = 0; i < 2; i++) yield i } const r = []; for await (const x of g()) r.push(x); return r",
  ],
  ["recursion", "const fact = (n) => n < 2 ? 1 : n * fact(n - 1); return fact(10)"],
  ["a function used before it is written", "return f(); function f() { return 1 }"],
  ["a named function expression", "return (function f(n) { return n ? f(n - 1) : 'done' })(3)"],
  [
    "this and arguments",
    "function f() { const g = () => this.x + arguments.length; return g() } return f.call({ x: 1 }, 1, 2)",
  ],
  ["new.target", "function F() { this.made = new.target === F } return new F().made"],
  [
    "a class",
    "class A { #n = 1; static s = [1].map((x) => x); get n() { return this.#n } set n(v) { this.#n = v } static { for (const x of [1]) A.t = x } m = () => this.#n; async a() { return this.n } *g() { yield this.#n } } const a = new A(); a.n = 4; return [a.n, a.m(), A.s, A.t, await a.a(), [...a.g()], a.constructor.name]",
  ],
  [
    "a class that extends",
    "class A { constructor(x) { this.x = x } } class B extends A { constructor() { super([1].map((n) => n)[0]); this.y = 2 } m() { return super.toString === Object.prototype.toString } } const b = new B(); return [b.x, b.y, b.m()]",
  ],
  ["a default constructor's fields", "class A { x = (() => 1)() } class B extends A {} return new B().x"],
  [
    "getters and computed names",
    "const k = 'a'; const o = { get [k]() { return 1 }, ['b' + k]() { return 2 }, async *c() { yield 3 } }; return [o.a, o.ba(), (await o.c().next()).value]",
  ],
  [
    "names of functions",
    "const f = () => 1; const o = { g: () => 1, h() {} }; return [f.name, o.g.name, o.h.name, f.length]",
  ],
  ["a tagged template", "const t = (s, ...v) => s.raw.join('|') + v; return t`a${1}b${(() => 2)()}`"],
  [
    "optional calls and nullish values",
    "const o = { f: () => null }; return [o.f?.() ?? 'x', o.g?.(() => 1) ?? 'y']",
  ],
  ["spread", "return Math.max(...[1, 2].map((x) => x), ...[3])"],
  [
    "await in odd places",
    "const f = async (x = 1) => x; for (let i = await f(0); i < await f(2); i += await f()) console.log(i); return `${await f()}`",
  ],
  ["a missing semicolon before a bracket's line", "const a = () => 1\nconst b = [2]\nreturn [a(), b]"],
  ["a comment at the end", "return 1 // => {"],
  ["HTML-like operators", "let a = 3; let n = 0; while (a --> 0) n++; return n"],
  ["a sort with a comparator", "return [3, 1, 2].sort((a, b) => a - b)"],
  ["a replacer", "return 'a=>b'.replace(/=>/g, (m) => `<${m}>`)"],
  ["numbers and bits", "let x = 0b101 << 2; x ||= 1; x **= 2; return [x, 1_000, typeof 1n]"],
  ["logical assignment in a loop", "const o = {}; for (const k of 'ab') (o[k] ??= []).push(k); return o"],
  [
    "early return from a nested loop",
    "for (const a of [1]) for (const b of [2]) { return a + b } return 'no'",
  ],
];

describe("a guarded program", () => {
  it.each(PROGRAMS)("means what it meant: %s", async (_, code) => {
    expect(await run(guarded(code))).toEqual(await run(original(code)));
  });

  it.each(PROGRAMS)("parses again, guarded twice: %s", async (_, code) => {
    const inner = guarded(code)
      .replace(/^[^\n]*\n/, "")
      .replace(/\n\}$/, "");
    const twice = guardLoops(inner, "pay_1");
    expect(twice.ok).toBe(true);
  });

  it.each([
    ["while", "while (true) {}"],
    ["while without a block", "while (true);"],
    ["for", "for (;;) {}"],
    ["for with its work in the head", "for (let i = 0; ; i++);"],
    ["do", "do {} while (true)"],
    ["for of an endless generator", "function* g() { for (;;) yield 1 } for (const x of g());"],
    [
      "for of an endless iterator",
      "for (const x of { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) });",
    ],
    ["for await", "for await (const x of { async *[Symbol.asyncIterator]() { while (1) yield 1 } });"],
    ["a loop that catches", "while (1) try { while (1); } catch {}"],
    ["a loop in finally", "try {} finally { for (;;); }"],
    ["a loop in a getter", "const o = { get a() { for (;;); } }; o.a"],
    ["a loop in a static block", "class A { static { for (;;); } }"],
    ["a loop in a default", "((a = (() => { for (;;); })()) => a)()"],
    ["a loop in a computed name", "({ [(() => { for (;;); })()]: 1 })"],
    ["a labelled loop that goes on", "a: for (;;) { continue a }"],
    ["recursion that catches", "const f = () => { try { f() } catch { f() } }; f()"],
    [
      "two that call each other",
      "const a = async () => { await 0; return b() }; const b = async () => a(); return a()",
    ],
    ["a toString that loops", "String({ toString() { for (;;); } })"],
  ])("does not run for ever: %s", async (_, code) => {
    await expect(run(guarded(code), 1_000)).rejects.toThrow(/spent|call stack/);
  });

  it.each([
    ["half a statement", "return (", /line 2/],
    ["a brace too many", "return 1 }", /line 2/],
    ["a second function", "} async function evil() {", /braces/],
    ["a second statement", "}; fetch('x'); {", /braces/],
    ["an import", "import fs from 'node:fs'", /line 1/],
    ["an export", "export const a = 1", /line 1/],
    ["with", "with ({}) {}", /line 1/],
    ["a yield of nobody", "yield 1", /line 1/],
    ["the purse's own name", `${PURSE}()`, /taken/],
    ["the purse's name as a text", `return "${PURSE}"`, /taken/],
  ])("is none where it does not parse as one function: %s", (_, code, detail) => {
    expect(guardLoops(code, PURSE)).toMatchObject({
      ok: false,
      fault: { why: "syntax", detail: expect.stringMatching(detail) },
    });
  });

  it("counts the lines of an error as the model does", () => {
    expect(guardLoops("const a = 1;\nconst b = ;", PURSE)).toMatchObject({
      fault: { detail: expect.stringContaining("(line 2, column 10)") },
    });
  });
});
