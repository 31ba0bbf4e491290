import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { TOOL } from "../../../src/domain/container-protocol.ts";
import { startEngine } from "../../../dev/engine/host.ts";
import { isAlive, openWorld, SECRET, until } from "./world.ts";
import type { World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

it("answers nobody without the secret", async () => {
  for (const authorization of ["", "Bearer ", `Bearer ${SECRET}x`, `Basic ${SECRET}`, SECRET]) {
    const response = await fetch(`${world.engine.url}/containers/a`, { headers: { authorization } });
    expect(response.status).toBe(401);
  }
  expect((await world.call("GET", "/containers/a")).status).toBe(200);
});

it("says at its start that it is no boundary", () => {
  expect(world.log[0]).toContain("no security boundary");
});

it("starts a container, tells its state, and leaves nothing behind when it is destroyed", async () => {
  expect(await (await world.call("GET", "/containers/a")).json()).toMatchObject({
    running: false,
    exitCode: null,
  });
  expect((await world.start("a", { labels: { task: "7" } })).status).toBe(200);
  expect(world.engine.list()).toMatchObject([
    { id: "a", running: true, labels: { task: "7" }, image: "local" },
  ]);
  const { stdout } = await world.exec("a", [
    "sh",
    "-c",
    "setsid sleep 300 >/dev/null 2>&1 & echo $!; touch in-workspace",
  ]);
  expect(isAlive(Number(stdout))).toBe(true);
  expect((await world.call("DELETE", "/containers/a")).status).toBe(200);
  expect(isAlive(Number(stdout))).toBe(false);
  expect(existsSync(join(world.root, "a"))).toBe(false);
  expect(world.engine.list()).toEqual([]);
});

it("starts no second container under an id that runs, and a new one afterwards in an empty folder", async () => {
  const both = await Promise.all([world.start("a"), world.start("a")]);
  expect(both.map((each) => each.status).sort((a, b) => a - b)).toEqual([200, 409]);
  await world.exec("a", ["touch", "left"]);
  await world.call("DELETE", "/containers/a");
  expect((await world.start("a")).status).toBe(200);
  expect((await world.exec("a", ["ls", "-A"])).stdout).toBe("");
});

it("tells why a main process could not be started", async () => {
  const response = await world.start("a", { entrypoint: ["/no/such/program"] });
  expect(response.status).toBe(409);
  expect(await response.text()).toContain("ENOENT");
  expect(existsSync(join(world.root, "a"))).toBe(false);
});

it("keeps a wait for the exit open until the main process ends, and reports its code", async () => {
  await world.start("a", {
    entrypoint: ["sh", "-c", "while [ ! -e ../state/go ]; do sleep 0.02; done; exit 7"],
  });
  const exit = world.call("GET", "/containers/a/exit");
  await world.exec("a", ["sh", "-c", "touch ../state/go"]);
  expect(await (await exit).json()).toMatchObject({ running: false, exitCode: 7 });
});

it("shows processes nothing of its own environment", async () => {
  process.env["PATCHWRIGHT_TEST_CANARY"] = "must not leak";
  try {
    await world.start("a", {
      env: { GIVEN: "yes", CF_HARNESS_TOKEN: "t", PATH: "/evil", http_proxy: "http://evil.example" },
    });
    const { stdout } = await world.exec("a", ["env"], { env: { MORE: "too", PATCHWRIGHT_STATE: "/etc" } });
    const names = stdout
      .trim()
      .split("\n")
      .map((line) => line.split("=", 1)[0]);
    expect(names.sort()).toEqual(
      [
        "GIVEN",
        "HOME",
        "HTTPS_PROXY",
        "HTTP_PROXY",
        "LANG",
        "MORE",
        "NO_PROXY",
        "PATCHWRIGHT_CONTAINER",
        "PATCHWRIGHT_HOMES",
        "PATCHWRIGHT_STATE",
        "PATCHWRIGHT_WORKSPACE",
        "PATH",
        "TMPDIR",
        "http_proxy",
        "https_proxy",
        "no_proxy",
      ].sort(),
    );
    expect(stdout).not.toContain("evil");
    expect(stdout).toContain(`PATCHWRIGHT_STATE=${world.root}/a/state`);
  } finally {
    delete process.env["PATCHWRIGHT_TEST_CANARY"];
  }
});

it("executes commands with input, both streams, an exit code and a folder", async () => {
  await world.start("a");
  expect(await world.exec("a", ["sh", "-c", "cat; echo err >&2; exit 3"], { stdin: "in\n" })).toEqual({
    exitCode: 3,
    stdout: "in\n",
    stderr: "err\n",
  });
  await world.exec("a", ["mkdir", "sub"]);
  expect((await world.exec("a", ["pwd"], { cwd: "/workspace/sub" })).stdout).toBe(
    `${world.root}/a/workspace/sub\n`,
  );
  expect((await world.exec("a", ["sh", "-c", "echo 1; echo 2 >&2"], { stderr: "combined" })).stderr).toBe("");
  expect((await world.exec("a", ["sh", "-c", "kill -9 $$"])).exitCode).toBe(137);
  await expect(world.exec("a", ["pwd"], { cwd: "/etc" })).rejects.toThrow("400");
  await expect(world.exec("a", ["pwd"], { cwd: "/workspace/../state" })).rejects.toThrow("400");
  await expect(world.exec("a", ["no-such"])).rejects.toThrow("422");
});

it("carries a large output whole", async () => {
  await world.start("a");
  const { stdout } = await world.exec("a", ["sh", "-c", "head -c 5000000 /dev/zero | tr '\\0' x"]);
  expect(stdout).toHaveLength(5_000_000);
});

it("runs the tool by the path that it has in the image", async () => {
  await world.start("a");
  const { stdout } = await world.exec("a", [TOOL, "run"], {
    stdin: JSON.stringify({ argv: ["pwd"], cwd: "", seconds: 9, outputBytes: 999 }),
  });
  expect(JSON.parse(stdout)).toMatchObject({
    ok: true,
    value: { exit: 0, output: `${world.root}/a/workspace\n` },
  });
});

it("ends a command whose caller goes away", async () => {
  await world.start("a");
  const abort = new AbortController();
  const head = Buffer.from(
    JSON.stringify({ argv: ["sh", "-c", "echo $$ > pid; sleep 300"], env: {} }),
  ).toString("base64");
  const response = await fetch(`${world.engine.url}/containers/a/exec`, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET}`, "x-engine-exec": head },
    signal: abort.signal,
  });
  const file = join(world.root, "a/workspace/pid");
  await until(() => existsSync(file) && readFileSync(file, "utf8").endsWith("\n"));
  const pid = Number(readFileSync(file, "utf8"));
  expect(response.status).toBe(200);
  abort.abort();
  await until(() => !isAlive(pid));
});

it("signals only commands that it started itself", async () => {
  await world.start("a");
  const bystander = process.pid;
  expect((await world.call("POST", `/containers/a/exec/${bystander}/signal`, 15)).status).toBe(200);
  expect((await world.call("POST", "/containers/a/signal", 99)).status).toBe(409);
  expect((await world.call("POST", "/containers/a/signal", 15)).status).toBe(200);
  await until(() => world.engine.list().length === 0);
});

it("destroys a container that nothing used for its time, and none that is in use", async () => {
  await world.start("a");
  await world.start("b");
  const busy = world.exec("b", ["sh", "-c", "while [ ! -e ../state/go ]; do sleep 0.02; done"]);
  for (const id of ["a", "b"]) await world.call("PUT", `/containers/${id}/inactivity`, 50);
  await until(() => !world.engine.list().some((each) => each.id === "a"));
  expect(world.engine.list().map((each) => each.id)).toEqual(["b"]);
  await world.exec("b", ["sh", "-c", "touch ../state/go"]);
  await busy;
  await until(() => world.engine.list().length === 0);
});

it("leaves no container behind when it is killed", async () => {
  const root = mkdtempSync(join(tmpdir(), "engine-"));
  const program = new URL("./engine-process.ts", import.meta.url).pathname;
  const host = spawn(process.execPath, [program, root], { stdio: ["ignore", "pipe", "inherit"] });
  const printed = await new Promise<Buffer>((resolve) => host.stdout.once("data", resolve));
  const pid = Number(printed.toString());
  expect(isAlive(pid)).toBe(true);
  host.kill("SIGKILL");
  await until(() => !isAlive(pid) && !existsSync(join(root, "a")));
  rmSync(root, { recursive: true });
});

it("ends on its next start what a killed engine left running", async () => {
  await world.start("a");
  const { stdout } = await world.exec("a", ["sh", "-c", "setsid sleep 300 >/dev/null 2>&1 & echo $!"]);
  const options = {
    root: world.root,
    secret: SECRET,
    toolCommand: ["true"],
    daemonCommand: ["true"],
    path: ["/bin"],
  };
  // The same process may take its folder again: to the file system it looks as after a kill.
  const second = await startEngine(options);
  expect(isAlive(Number(stdout))).toBe(false);
  expect(readdirSync(world.root)).toEqual(["engine.pid"]);
  await second.close();
});

it("does not take the folder of an engine that still runs", async () => {
  const root = mkdtempSync(join(tmpdir(), "engine-"));
  writeFileSync(join(root, "engine.pid"), String(process.ppid));
  const options = { root, secret: SECRET, toolCommand: ["true"], daemonCommand: ["true"], path: ["/bin"] };
  await expect(startEngine(options)).rejects.toThrow("still runs");
  rmSync(root, { recursive: true });
});
