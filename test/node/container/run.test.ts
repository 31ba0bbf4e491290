import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Ran } from "../../../src/domain/container-protocol.ts";
import { openBench } from "./bench.ts";
import type { Bench } from "./bench.ts";

let bench: Bench;
beforeEach(async () => {
  bench = await openBench();
  await bench.checkout(bench.commit());
  bench.agent("mkdir sub");
});
afterEach(() => bench.close());

const run = (argv: unknown, more: object = {}) =>
  bench.tool("run", { argv, cwd: "", seconds: 20, outputBytes: 10_000, ...more });
async function ran(argv: readonly string[], more: object = {}): Promise<Ran> {
  const answer = await run(argv, more);
  if (!answer.ok) throw new Error(answer.fault.detail);
  return answer.value;
}

it("tells how a command ended, both streams together", async () => {
  const result = await ran(["sh", "-c", "echo out; echo err >&2; exit 3"]);
  expect(result).toMatchObject({ exit: 3, cut: false, timedOut: false });
  expect(result.output.split("\n").sort()).toEqual(["", "err", "out"]);
});

it("passes words on as they are, through no shell", async () => {
  expect((await ran(["printf", "%s|", "$HOME", "a b", "*", ""])).output).toBe("$HOME|a b|*||");
});

it("gives a command that does not exist shell's 127", async () => {
  const result = await ran(["no-such-command"]);
  expect(result.exit).toBe(127);
  expect(result.output).toMatch(/^no-such-command: E/);
});

it("keeps head and tail of a long output and says what is missing", async () => {
  const result = await ran(["sh", "-c", "printf START; head -c 100000 /dev/zero | tr '\\0' x; printf END"], {
    outputBytes: 10,
  });
  expect(result).toMatchObject({ cut: true, output: "STARTxxxxx\n[… 99988 bytes left out …]\nxxxxxxxEND" });
});

it("cuts between characters, not in them", async () => {
  const result = await ran(["printf", "%s", "é".repeat(20)], { outputBytes: 5 });
  expect(result.output).toBe("éé\n[… 30 bytes left out …]\néé");
});

it("ends a command that takes too long, with all it started", async () => {
  const mark = join(bench.workspace, "pids");
  const script = `trap '' TERM; (setsid sh -c 'echo $$ >> pids; exec sleep 300' &) ; echo $$ >> pids; sleep 300 & wait; sleep 300`;
  const result = await ran(["sh", "-c", script], { seconds: 1 });
  expect(result).toMatchObject({ exit: null, timedOut: true });
  const pids = readFileSync(mark, "utf8").trim().split("\n").map(Number);
  expect(pids).toHaveLength(2);
  expect(
    pids.filter(
      (pid) => existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "",
    ),
  ).toEqual([]);
});

it("does not wait for what a command leaves running", async () => {
  const result = await ran(["sh", "-c", "sleep 300 & echo $! > pid; echo done"]);
  expect(result).toMatchObject({ exit: 0, output: "done\n" });
});

it("answers although a command left folders that cannot be removed", async () => {
  expect(await ran(["sh", "-c", "mkdir -p $HOME/cache/x; chmod 555 $HOME/cache"])).toMatchObject({ exit: 0 });
});

it("shows a command only what is on its list", async () => {
  bench.env["NODE_OPTIONS"] = "--no-warnings";
  bench.env["ANTHROPIC_API_KEY"] = "placeholder";
  const { output } = await ran(["sh", "-c", "env; ls -A $HOME | wc -l; test -t 0 || cat"]);
  const names = output.split("\n").map((line) => line.split("=")[0] ?? "");
  expect(names).toEqual(expect.arrayContaining(["CI", "HOME", "NO_COLOR", "PATH", "http_proxy"]));
  expect(names).not.toEqual(expect.arrayContaining(["NODE_OPTIONS"]));
  expect(names).not.toEqual(expect.arrayContaining(["ANTHROPIC_API_KEY"]));
  expect(output).toMatch(/\n0\n$/);
});

it("starts in a folder of the workspace and in no other", async () => {
  expect((await ran(["pwd"], { cwd: "sub" })).output).toBe(`${bench.workspace}/sub\n`);
  symlinkSync("/etc", join(bench.workspace, "out"));
  mkdirSync(join(bench.root, "box/workspace-next"));
  for (const cwd of ["out", "..", "/etc", "sub/../../state", "../workspace-next", "missing"]) {
    expect(await run(["pwd"], { cwd })).toMatchObject({ ok: false, fault: { why: "path-refused" } });
  }
});
