/** Claude Code itself, the pinned version that the container has, against the local model. */
import { spawn } from "node:child_process";
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { DEMO_BUG, demoScenario } from "../../../dev/model/demo-scenario.ts";
import type { LocalModel } from "../../../dev/model/server.ts";
import { PATH, runDemoTests, tempCheckout, tempFolder } from "./temp-checkout.ts";
import { KEY, withModel } from "./with-model.ts";

const INSTALLED = fileURLToPath(new URL("../../../container/node_modules/.bin/claude", import.meta.url));
const CLI = process.env["CLAUDE_CLI"] ?? INSTALLED;
const PATIENCE_MS = 60_000;

/** Its last event, `{ type: "result", is_error, result, … }`: the exit code alone does not tell success. */
async function runClaude(
  model: LocalModel,
  cwd: string,
  prompt: string,
  flags: string[] = [],
): Promise<unknown> {
  await access(CLI).catch(() => {
    throw new Error(`no Claude Code at ${CLI}: run npm ci in container/, as npm test does`);
  });
  const home = await tempFolder();
  const args = [
    "-p",
    "--output-format",
    "stream-json",
    "--verbose",
    "--dangerously-skip-permissions",
    "--model",
    "claude-sonnet-4-5",
    ...flags,
  ];
  const env = {
    PATH,
    HOME: home,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: KEY,
    IS_SANDBOX: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    npm_config_update_notifier: "false",
  };
  const child = spawn(CLI, args, { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(prompt);
  let out = "";
  for await (const chunk of child.stdout) out += String(chunk);
  const last = out.trim().split("\n").at(-1) ?? "";
  return JSON.parse(last);
}

describe("Claude Code", () => {
  it(
    "obeys directives: a new file, a file that was there, a command, the last word",
    { timeout: PATIENCE_MS },
    async () => {
      const [model, cwd] = [await withModel(), await tempFolder()];
      await writeFile(join(cwd, "old.txt"), "old\n");
      const prompt = [
        "Fix the issue.",
        "%% propose: not for you",
        String.raw`%% write: src/new.ts <<<export const a = "1";\n`,
        String.raw`%% write: old.txt <<<new\n`,
        "%% bash: cat src/new.ts old.txt > seen.txt",
        "%% say: All done.",
      ];
      const ended = await runClaude(model, cwd, prompt.join("\n"));
      expect(ended).toMatchObject({ is_error: false, result: "All done." });
      expect(await readFile(join(cwd, "seen.txt"), "utf8")).toBe('export const a = "1";\nnew\n');
      expect(model.requests.every((request) => request.status === 200)).toBe(true);
    },
  );

  it(
    "gets past an overload, a cut stream and an error inside a stream",
    { timeout: PATIENCE_MS },
    async () => {
      const [model, cwd] = [await withModel(), await tempFolder()];
      const prompt =
        "%% fail: 529\n%% bash: echo a >> log.txt\n%% fail: cut\n%% bash: echo b >> log.txt\n%% fail: error-event\n%% bash: echo c >> log.txt";
      expect(await runClaude(model, cwd, prompt)).toMatchObject({ is_error: false });
      expect(await readFile(join(cwd, "log.txt"), "utf8")).toBe("a\nb\nc\n");
      expect(model.requests.some((request) => request.status === 529)).toBe(true);
    },
  );

  it("reports an error when the provider goes on refusing", { timeout: PATIENCE_MS }, async () => {
    const [model, cwd] = [await withModel(), await tempFolder()];
    expect(await runClaude(model, cwd, "%% fail: 400 always")).toMatchObject({
      is_error: true,
      result: expect.stringContaining("400"),
    });
  });

  it.each([[[]], [["--bare"]]])(
    "fixes the demo's bug with flags %j",
    { timeout: PATIENCE_MS },
    async (flags) => {
      const [model, cwd] = [await withModel({ scenario: demoScenario }), await tempCheckout()];
      const ended = await runClaude(model, cwd, `${DEMO_BUG.title}\n\n${DEMO_BUG.body}`, flags);
      expect(ended).toMatchObject({
        is_error: false,
        result: expect.stringContaining("Now: 22 passed, 0 failed."),
      });
      expect(await runDemoTests(cwd)).toMatchObject({ failed: 0 });
    },
  );
});
