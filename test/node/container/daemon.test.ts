import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { agentNamed } from "../../../container/daemon/agents.ts";
import { agentEnvironment, replaceEnvironment } from "../../../container/daemon/environment.ts";
import { withFreshStart } from "../../../container/daemon/fresh-start.ts";
import { orderedAdapter } from "../../../container/daemon/ordered-adapter.ts";
import type { Adapter } from "../../../container/daemon/ordered-adapter.ts";
import { openBench } from "./bench.ts";
import type { Bench } from "./bench.ts";

let bench: Bench;
let proxyBefore: string | undefined;
beforeEach(async () => {
  bench = await openBench();
  // The daemon fetches in its own process, whose environment names the proxy.
  proxyBefore = process.env["http_proxy"];
  process.env["http_proxy"] = bench.server.proxy;
});
afterEach(async () => {
  if (proxyBefore === undefined) delete process.env["http_proxy"];
  else process.env["http_proxy"] = proxyBefore;
  await bench.close();
});

type Outcome = { status: "done"; text: string } | { status: "unanswered"; reason: string };

/** An ordered adapter around an agent that answers with `answers`, and what became of it. */
async function open(answers: (Outcome | Promise<Outcome>)[] = [], onSweep = (): void => undefined) {
  const prompts: unknown[] = [];
  const logs: string[] = [];
  const counts = { sweeps: 0 };
  const inner: Adapter = {
    id: "fake",
    version: "1",
    open: () => ({
      async run(turn) {
        prompts.push(turn.input);
        return answers.shift() ?? { status: "done", text: "fine" };
      },
      async close() {},
    }),
  };
  const adapter = orderedAdapter(inner, {
    places: { workspace: bench.workspace, state: bench.state },
    abortMs: 1,
    sweep() {
      counts.sweeps += 1;
      onSweep();
      return 0;
    },
    isLost: (outcome) => outcome.reason === "lost",
  });
  const session = await adapter.open({
    session: "root",
    settings: {},
    restore: [],
    emit: () => undefined,
    persist: () => undefined,
    log: (_level, message) => logs.push(message),
  });
  const run = (input: string, signal = new AbortController().signal) =>
    session.run({ operationId: "1", input, signal });
  return { run, prompts, logs, counts };
}

const order = (commit: string, prompt = "fix it") =>
  JSON.stringify({ checkout: { url: "http://git.internal/source/.git", commit, depth: 1 }, prompt });

it("checks out first, then gives the agent the prompt alone, and logs what it took", async () => {
  bench.put("a.txt", "one\n");
  const commit = bench.commit();
  const { run, prompts, logs, counts } = await open();
  expect(await run(order(commit))).toEqual({ status: "done", text: "fine" });
  expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("one\n");
  expect(prompts).toEqual(["fix it"]);
  expect(JSON.parse(logs[0] ?? "")).toMatchObject({
    step: "checkout",
    commit,
    files: 1,
    ms: expect.any(Number),
  });
  expect(counts.sweeps).toBe(1);
});

it("keeps the workspace for a follow-up on the same commit and refills it for another", async () => {
  bench.put("a.txt", "one\n");
  const first = bench.commit();
  bench.put("a.txt", "two\n");
  const second = bench.commit();
  const { run, logs } = await open();
  await run(order(first));
  writeFileSync(join(bench.workspace, "mine.txt"), "mine");
  await run(order(first));
  expect(existsSync(join(bench.workspace, "mine.txt"))).toBe(true);
  expect(JSON.parse(logs[1] ?? "")).toEqual({ step: "checkout", commit: first, kept: true });
  await run(order(second));
  expect(existsSync(join(bench.workspace, "mine.txt"))).toBe(false);
  expect(readFileSync(join(bench.workspace, "a.txt"), "utf8")).toBe("two\n");
});

it.each([
  "fix it",
  "null",
  "{}",
  JSON.stringify({ checkout: {}, prompt: "x" }),
  order("main"),
  order("a".repeat(40), " "),
])("settles the operation %j as a bad order, the agent not asked", async (text) => {
  const { run, prompts } = await open();
  expect(await run(text)).toMatchObject({
    status: "unanswered",
    reason: expect.stringMatching(/^order: bad-input: /),
  });
  expect(prompts).toEqual([]);
});

it("settles a failed checkout by its name, and a later order works", async () => {
  const commit = bench.commit();
  const { run, prompts } = await open();
  bench.server.answer = (_request, response) => response.writeHead(503).end();
  expect(await run(order(commit))).toMatchObject({
    reason: expect.stringMatching(/^checkout: repository-unreachable: /),
  });
  bench.server.answer = undefined;
  expect(await run(order("e".repeat(40)))).toMatchObject({
    reason: expect.stringMatching(/^checkout: commit-not-found: /),
  });
  expect(prompts).toEqual([]);
  expect(await run(order(commit))).toMatchObject({ status: "done" });
});

it("ends an aborted checkout at once; the next order waits for its end", async () => {
  const commit = bench.commit();
  const { run, prompts } = await open();
  const abort = new AbortController();
  let answerLate = (): void => undefined;
  bench.server.answer = (_request, response) => {
    answerLate = () => response.writeHead(503).end();
    abort.abort();
  };
  expect(await run(order(commit), abort.signal)).toEqual({ status: "unanswered", reason: "aborted" });
  const next = run(order(commit));
  bench.server.answer = undefined;
  answerLate();
  expect(await next).toMatchObject({ status: "done" });
  expect(prompts).toHaveLength(1);
});

it("ends what holds an aborted turn open", async () => {
  const commit = bench.commit();
  let release = (_outcome: Outcome): void => undefined;
  const held = new Promise<Outcome>((resolve) => {
    release = resolve;
  });
  const { run, prompts } = await open([held], () => release({ status: "unanswered", reason: "aborted" }));
  const abort = new AbortController();
  const ended = run(order(commit), abort.signal);
  while (prompts.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  abort.abort();
  expect(await ended).toEqual({ status: "unanswered", reason: "aborted" });
});

it("runs a turn once more when the agent lost its conversation, and not a third time", async () => {
  const commit = bench.commit();
  const lost = { status: "unanswered", reason: "lost" } as const;
  const once = await open([lost]);
  expect(await once.run(order(commit))).toMatchObject({ status: "done" });
  expect(once.prompts).toHaveLength(2);
  const twice = await open([lost, lost]);
  expect(await twice.run(order(commit))).toEqual(lost);
  expect(twice.prompts).toHaveLength(2);
});

it("gives up a lost conversation's name, and no other", () => {
  const turn = { operationId: "1", prompt: "p", settings: {} };
  const told: unknown[] = [];
  const parser = agentNamed("claude-code").cli.parser;
  const { cli, isLost } = withFreshStart(
    { id: "x", parser, command: ({ state }) => (told.push(state), { argv: ["x"] }) },
    /gone: (\w+)/,
  );
  expect(isLost({ status: "unanswered", reason: "other" })).toBe(false);
  expect(isLost({ status: "done" })).toBe(false);
  expect(isLost({ status: "unanswered", reason: "gone: abc" })).toBe(true);
  expect(isLost({ status: "unanswered", reason: "gone: abc" })).toBe(false);
  cli.command({ ...turn, state: { sessionId: "abc" } });
  cli.command({ ...turn, state: { sessionId: "def" } });
  expect(told).toEqual([{}, { sessionId: "def" }]);
});

it("gives Claude Code flags that shut the checkout out, and no prompt that could be a command", () => {
  const { cli } = agentNamed("claude-code");
  const command = cli.command({
    operationId: "1",
    prompt: "/clear",
    settings: { model: "m" },
    state: { sessionId: "s" },
  });
  expect(command.argv.slice(0, 3)).toEqual(["claude", "--setting-sources=", "--strict-mcp-config"]);
  expect(command.argv.slice(-4)).toEqual(["--model", "m", "--resume", "s"]);
  expect(command.stdin).toBe("\n/clear");
});

it("knows no agent that it has no row for", () => {
  expect(() => agentNamed("codex")).toThrow("claude-code");
  expect(() => agentNamed("constructor")).toThrow("claude-code");
  expect(() => agentNamed(undefined)).toThrow("claude-code");
});

it("leaves the agent nothing of the daemon's environment but what is listed", () => {
  const own = {
    PATH: "/bin",
    CF_HARNESS_TOKEN: "t",
    NODE_OPTIONS: "-r x",
    AWS_SECRET: "s",
    ANTHROPIC_API_KEY: "placeholder",
  };
  const target = { ...own };
  replaceEnvironment(target, agentEnvironment(own));
  expect(target).toEqual({
    PATH: "/bin",
    ANTHROPIC_API_KEY: "placeholder",
    CI: "1",
    TERM: "dumb",
    IS_SANDBOX: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_NOSYSTEM: "1",
  });
});
