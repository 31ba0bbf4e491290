import { describe, expect, it } from "vitest";
import { callTool } from "../../src/coding/call-tool.ts";
import { fenced, type Fence } from "../../src/coding/fenced-container.ts";

type Ran = { stdout?: string | ReadableStream<Uint8Array> | null; exit?: number };

/** A container in which the only program answers as it is told. */
function containerOf(ran: Ran | Error) {
  const calls: { argv: string[]; stdin: string }[] = [];
  const container = {
    async exec(argv: string[], options: ContainerExecOptions) {
      const stdin = options.stdin instanceof ReadableStream ? await new Response(options.stdin).text() : "";
      calls.push({ argv, stdin });
      if (ran instanceof Error) throw ran;
      const { stdout = "", exit = 0 } = ran;
      return {
        stdout: typeof stdout === "string" ? new Blob([stdout]).stream() : stdout,
        exitCode: Promise.resolve(exit),
      };
    },
  };
  return { container: container as unknown as Container, calls };
}

const apply = (ran: Ran | Error) => callTool(containerOf(ran).container, "apply", { changes: [] });
const exported = (value: unknown) =>
  callTool(containerOf({ stdout: JSON.stringify({ ok: true, value }) }).container, "export", {
    limits: { files: 1, fileBytes: 1, totalBytes: 1 },
  });

const BASE = { commit: "c", tree: "t" };
const WRITE = { op: "write", path: "a", mode: "100644", size: 1, content: "eA==" };

describe("a call of the tool in the container", () => {
  it("passes its input by stdin and never by a command line", async () => {
    const { container, calls } = containerOf({ stdout: '{"ok":true,"value":{"applied":1}}' });
    const changes = [{ op: "delete", path: "$(x); 'y'" }] as const;
    expect(await callTool(container, "apply", { changes })).toEqual({ ok: true, value: { applied: 1 } });
    expect(calls).toEqual([
      { argv: ["/opt/patchwright/bin/tool", "apply"], stdin: JSON.stringify({ changes }) },
    ]);
  });

  it("gives the tool's own refusal as it is", async () => {
    const fault = { why: "path-refused", detail: "a/../b" };
    expect(await apply({ stdout: JSON.stringify({ ok: false, fault }) })).toEqual({ ok: false, fault });
  });

  it.each<[string, Ran]>([
    ["nothing", {}],
    ["no stream at all", { stdout: null }],
    ["prose", { stdout: "all done!" }],
    ["half of it", { stdout: '{"ok":true,"value":{"applied":1' }],
    ["two of them", { stdout: '{"ok":true,"value":{"applied":1}}{"ok":true,"value":{"applied":1}}' }],
    ["null", { stdout: "null" }],
    ["a list", { stdout: "[]" }],
    ["no ok", { stdout: '{"value":{"applied":1}}' }],
    ["an ok that is a text", { stdout: '{"ok":"true","value":{"applied":1}}' }],
    ["no value", { stdout: '{"ok":true}' }],
    ["another's value", { stdout: '{"ok":true,"value":{"commit":"c"}}' }],
    ["a value of the wrong type", { stdout: '{"ok":true,"value":{"applied":"1"}}' }],
    ["a fault nobody knows", { stdout: '{"ok":false,"fault":{"why":"tired","detail":""}}' }],
    [
      "a fault that goes on and on",
      { stdout: `{"ok":false,"fault":{"why":"disk","detail":"${"x".repeat(10_001)}"}}` },
    ],
    ["an answer, but a failure", { stdout: '{"ok":true,"value":{"applied":1}}', exit: 1 }],
    ["a kill", { exit: 137 }],
  ])("is a broken tool where it answers %s", async (_, ran) => {
    expect(await apply(ran)).toMatchObject({ ok: false, fault: { why: "tool-broke" } });
  });

  it("is a lost container where it cannot run, or its answer breaks off", async () => {
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.error(new Error("the container exited"));
      },
    });
    for (const ran of [new Error("container is not running"), { stdout: broken }]) {
      expect(await apply(ran)).toMatchObject({ ok: false, fault: { why: "container-lost" } });
    }
  });

  it("reads no more than its limit of an answer that never ends", async () => {
    let pulled = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1024 * 1024;
          controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
        },
        cancel() {
          cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    expect((await apply({ stdout: endless })).ok).toBe(false);
    expect(pulled).toBeLessThanOrEqual(18 * 1024 * 1024);
    expect(cancelled).toBe(true);
  });

  it("reads characters that are cut between two pieces", async () => {
    const bytes = new TextEncoder().encode('{"ok":false,"fault":{"why":"disk","detail":"é🎉"}}');
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    expect(await apply({ stdout: pieces })).toEqual({ ok: false, fault: { why: "disk", detail: "é🎉" } });
  });
});

describe("an exported file set", () => {
  it("is what the window lets through, and nothing that hangs on it", async () => {
    const set = {
      base: BASE,
      changes: [WRITE, { op: "delete", path: "b" }],
      skipped: [{ path: "c", why: "too-large" }],
    };
    expect(
      await exported({ ...set, extra: 1, changes: [{ ...WRITE, owner: "root" }, set.changes[1]] }),
    ).toEqual({ ok: true, value: set });
  });

  it.each([
    ["an empty path", { ...WRITE, path: "" }],
    ["a path that is no text", { ...WRITE, path: ["a"] }],
    ["a path longer than any", { ...WRITE, path: "a".repeat(4_097) }],
    ["a mode git does not have", { ...WRITE, mode: "100666" }],
    ["a mode with the setuid bit", { ...WRITE, mode: "104755" }],
    ["a third operation", { op: "rename", path: "a" }],
    ["no content", { op: "write", path: "a", mode: "100644", size: 1 }],
    ["a size that is a text", { ...WRITE, size: "1" }],
  ])("is none with %s", async (_, change) => {
    expect(await exported({ base: BASE, changes: [change], skipped: [] })).toMatchObject({
      ok: false,
      fault: { why: "tool-broke", detail: expect.stringContaining("changes.0") },
    });
  });
});

describe("a fenced container", () => {
  it("has no Internet and its fence, whatever it is started with", async () => {
    const done: unknown[] = [];
    const inner = {
      running: true,
      images: { agent: "a" },
      start: (options: unknown) => done.push(options),
      setInactivityTimeout: async (ms: number) => void done.push(ms),
      interceptOutboundHttp: async (host: string, to: unknown) => void done.push([host, to]),
      interceptAllOutboundHttp: async (to: unknown) => void done.push(["*", to]),
    } as unknown as Container;
    const upstream = (name: string) => ({ name }) as unknown as Fetcher;
    const fence: Fence = { hosts: { "model.internal": upstream("model") }, refuse: upstream("refuse") };
    const container = fenced(inner, () => fence);
    container.start({ enableInternet: true, entrypoint: ["sleep"] });
    await container.setInactivityTimeout(5);
    await container.interceptOutboundHttp("evil.example", upstream("harness"));
    expect(done).toEqual([
      { enableInternet: false, entrypoint: ["sleep"] },
      5,
      ["model.internal", { name: "model" }],
      ["*", { name: "refuse" }],
    ]);
    expect([container.running, container.images]).toEqual([true, { agent: "a" }]);
  });
});
