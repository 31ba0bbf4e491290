import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { freePort } from "../../../dev/engine/free-port.ts";
import { portsInUse } from "../../../dev/world/ports-in-use.ts";
import { startWorker } from "../../../dev/world/start-worker.ts";
import { startWorld } from "../../../dev/world/start-world.ts";
import { startProgram, type Program } from "./program.ts";

const programs: Program[] = [];
async function program(...args: Parameters<typeof startProgram>): Promise<Program> {
  const started = await startProgram(...args);
  programs.push(started);
  return started;
}
afterEach(async () => {
  for (const started of programs.splice(0)) {
    started.child.kill("SIGKILL");
    await started.end;
    await started.remove();
  }
});

describe("a program of the local world", () => {
  it("takes its world down on Ctrl-C with a request at work, even when told twice", async () => {
    const demo = await program(["dev/demo.ts"]);
    await demo.until("── A question");
    demo.interrupt();
    demo.interrupt();
    const { code, err } = await demo.end;
    expect(code).toBe(130);
    expect(err).toContain("Interrupted by SIGINT.");
    expect(await demo.left()).toEqual([]);
  });

  it("takes down what is up when it is interrupted during its start", async () => {
    const demo = await program(["dev/demo.ts"]);
    await demo.until("Starting the local world");
    demo.interrupt();
    expect(await demo.end).toMatchObject({ code: 130 });
    expect(await demo.left()).toEqual([]);
  });

  it("ends quietly when nobody reads its output any more", async () => {
    const demo = await program(["dev/demo.ts"]);
    await demo.until("Starting the local world");
    demo.child.stdout?.destroy();
    const { code, err } = await demo.end;
    expect(code).toBe(130);
    expect(err).toBe("");
    expect(await demo.left()).toEqual([]);
  });

  it.each([["--foo"], ["stray"], ["--agent=codex"], ["--engine=docker"]])(
    "refuses %s with its usage and without a stack",
    async (word) => {
      const { code, err } = await (await program(["dev/demo.ts", word])).end;
      expect(code).toBe(1);
      expect(err).toContain("Usage: npm run demo");
      expect(err).not.toMatch(/^ +at /m);
    },
  );

  it("prints its usage when asked for it", async () => {
    expect(await (await program(["dev/dev.ts", "--help"])).end).toEqual({
      code: 0,
      out: "Usage: npm run dev [-- --engine local]\n",
      err: "",
    });
  });

  it("stops at once at a model that cannot be reached, with the way out", async () => {
    const { code, out, err } = await (
      await program(["dev/demo.ts"], {
        ANTHROPIC_API_KEY: " sk-example-key\n",
        ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
      })
    ).end;
    expect(code).toBe(1);
    expect(err).toContain("Using the real model at http://127.0.0.1:1, because ANTHROPIC_API_KEY is set");
    expect(err).toContain("unset ANTHROPIC_API_KEY to use the scripted model");
    expect(`${out}${err}`).not.toContain("sk-example-key");
  });
});

describe("a port that is taken", () => {
  it("is named, and the Worker's start fails with the reason", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      expect(await portsInUse([port])).toEqual([port]);
      await expect(startWorld({ ports: { github: 0, worker: port } })).rejects.toThrow(
        /the Worker cannot start: .*in use/,
      );
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
    expect(await portsInUse([port])).toEqual([]);
  });
});

describe("a Worker that cannot be built", () => {
  it.each([
    ["has a syntax error", "export default {;", /the Worker cannot start: .*error/],
    ["is not there", undefined, /was not found|could not be found|does not exist/i],
  ])("because its source %s fails its start with the reason", async (_, source, reason) => {
    const root = await mkdtemp(join(tmpdir(), "worker-"));
    try {
      await mkdir(join(root, "dev"));
      const config = { name: "broken", main: "main.ts", compatibility_date: "2026-11-01" };
      await writeFile(join(root, "dev/wrangler.jsonc"), JSON.stringify(config));
      if (source !== undefined) await writeFile(join(root, "dev/main.ts"), source);
      const storage = join(root, "storage");
      const port = await freePort();
      await expect(
        startWorker({ root, storage, port, vars: {}, secrets: {}, controlSecret: "" }),
      ).rejects.toThrow(reason);
    } finally {
      await rm(root, { recursive: true, force: true });
    }
  });
});

describe("why", () => {
  const why = async (args: readonly string[], input?: string) =>
    (await program(["dev/why.ts", ...args], {}, input)).end;

  it("says where a payload does not fit, and gives a blank line for a blank line", async () => {
    const lines = ['{"event":"issues","payload":{"action":"opened"}}', "", "no JSON"];
    const { out } = await why(["-"], lines.join("\n"));
    expect(out.split("\n")).toEqual([
      '{"act":false,"because":"body-does-not-fit-event","key":"repository"}',
      "",
      '{"act":false,"because":"line-not-understood"}',
      "",
    ]);
  });

  it("reads files with a byte order mark, and a config with its faults", async () => {
    const folder = await mkdtemp(join(tmpdir(), "why-"));
    try {
      const [payload, config] = [join(folder, "payload.json"), join(folder, "config.yml")];
      await writeFile(payload, "\uFEFF{}");
      await writeFile(config, "instructions: Be kind.\ncheckz: 1\n");
      const { code, out } = await why(["ping", payload, "--config", config]);
      expect(code).toBe(0);
      expect(JSON.parse(out)).toEqual({
        act: false,
        because: "event-not-handled",
        config: [{ line: 2, key: "checkz", problem: "is not a setting" }],
      });
      await writeFile(payload, "");
      expect(await why(["ping", payload])).toMatchObject({
        code: 1,
        err: `No decision: ${payload} is empty; it has to hold the payload of a delivery, as JSON\n`,
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.each([
    [["issues", "/nowhere.json"], "/nowhere.json cannot be read (ENOENT)"],
    [["issues", "app.yml"], "app.yml is not JSON"],
    [["issues", "package.json", "--permission", "owner"], "--permission is one of admin, maintain"],
    [["issues", "package.json", "--config", "/nowhere.yml"], "/nowhere.yml cannot be read (ENOENT)"],
    [["issues"], "an event and a file are needed"],
    [["--what"], "Unknown option '--what'"],
  ])("refuses %j in words", async (args, words) => {
    const { code, err } = await why(args);
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(err).not.toMatch(/^ +at /m);
  });
});
