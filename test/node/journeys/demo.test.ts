import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../../dev/world/start-world.ts";

const run = promisify(execFile);
const DEMO = join(ROOT, "dev/demo.ts");

describe("npm run demo", () => {
  it("answers a question and turns a bug into a pull request whose branch passes its tests", async () => {
    const { stdout } = await run(process.execPath, [DEMO, "--json"], { cwd: ROOT, timeout: 55_000 });
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
      answer: { ok: true, ms: expect.any(Number), comment: expect.stringContaining("src/slugify.ts:") },
      change: {
        ok: true,
        ms: expect.any(Number),
        pullRequest: expect.stringMatching(/\/acme\/plainwords\/pull\/\d+$/),
        files: ["src/truncate.ts"],
        checks: "passed",
      },
      engine: "local",
      agent: "claude-code",
      model: "local",
    });
  });

  it.each([
    ["--agent", "clippy", "claude-code"],
    ["--engine", "steam", "local"],
  ])("says what there is when asked for what there is not: %s %s", async (option, value, there) => {
    const failed = run(process.execPath, [DEMO, option, value], { cwd: ROOT, timeout: 55_000 });
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`there is ${there}`),
    });
  });
});
