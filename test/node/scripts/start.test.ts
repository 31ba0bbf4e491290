import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { finished, makeClone, type Clone } from "./clone.ts";

const clones: Clone[] = [];
async function cloned(npm?: string): Promise<Clone> {
  const clone = await makeClone(npm);
  clones.push(clone);
  return clone;
}
afterEach(async () => {
  for (const clone of clones.splice(0)) await clone.remove();
});

const HELLO = "console.log('hello')";

describe("the start of a program on a fresh clone", () => {
  it("installs both lists of packages once, and runs the program each time", async () => {
    const clone = await cloned();
    expect(await clone.run(HELLO)).toMatchObject({ code: 0, out: "hello\n" });
    expect(await clone.run(HELLO)).toMatchObject({ code: 0, out: "hello\n", err: "" });
    expect(await clone.asked()).toHaveLength(2);
  });

  it("says what is installed, how large it is, and that it takes a while", async () => {
    const { err } = await (await cloned()).run(HELLO);
    expect(err).toMatch(/^Installing the packages \(about 1\.3 GB, which takes a while\)/);
    expect(err).toMatch(/^Installing the coding agents \(about 0\.4 GB/m);
  });

  it("asks for all packages and their scripts, whatever the user's npm leaves out", async () => {
    const clone = await cloned();
    await clone.run(HELLO, {
      NODE_ENV: "production",
      npm_config_omit: "optional",
      npm_config_ignore_scripts: "true",
    });
    for (const line of await clone.asked()) {
      expect(line).toContain("ci --include=dev --include=optional --ignore-scripts=false");
      expect(line).toContain("--fetch-retries=1");
    }
  });

  it.each([
    ["a package", "node_modules/left-pad"],
    ["Node itself", "node_modules/node/bin/node"],
    ["Claude Code's command", "container/node_modules/.bin/claude"],
    ["Claude Code's package", "container/node_modules/@anthropic-ai/claude-code"],
  ])("installs again when %s has gone", async (_, path) => {
    const clone = await cloned();
    await clone.run(HELLO);
    await rm(join(clone.folder, path), { recursive: true });
    expect(await clone.run(HELLO)).toMatchObject({ code: 0, out: "hello\n" });
    expect(await clone.asked()).toHaveLength(3);
  });

  it("believes in no install whose Node does not run", async () => {
    const clone = await cloned("install; ln -sf /bin/false node_modules/node/bin/node");
    const ran = await clone.run(HELLO);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("does not run here");
    expect(existsSync(join(clone.nodeModules, ".patchwright-lock"))).toBe(false);
  });

  it("passes on npm's words, with the mend after them", async () => {
    const clone = await cloned("echo 'npm error code ENOTFOUND' >&2; exit 1");
    const { code, err } = await clone.run(HELLO);
    expect(code).toBe(1);
    expect(err).toMatch(/npm error code ENOTFOUND[\s\S]*To mend it: .* then try again\./);
  });

  it("needs npm even where the packages are there", async () => {
    const clone = await cloned();
    await clone.run(HELLO);
    const bin = join(clone.folder, "only-git");
    await mkdir(bin);
    await symlink("/usr/bin/git", join(bin, "git"));
    const { code, err } = await clone.run(HELLO, { PATH: bin });
    expect(code).toBe(1);
    expect(err).toContain("npm is not there");
  });

  it("names TMPDIR when it leads nowhere", async () => {
    const { code, err } = await (await cloned()).run(HELLO, { TMPDIR: "/nowhere-at-all" });
    expect(code).toBe(1);
    expect(err).toContain("set TMPDIR to a folder");
  });

  it("gives the program an empty home where the user's cannot be used, and removes it", async () => {
    const clone = await cloned();
    const { out, err } = await clone.run("console.log(process.env.HOME)", { HOME: "/nowhere-at-all" });
    const home = out.trim();
    expect(home).toMatch(/patchwright-home-/);
    expect(err).toContain("The home folder /nowhere-at-all cannot be used");
    expect(existsSync(home)).toBe(false);
  });

  it("ends as the program ends", async () => {
    expect(await (await cloned()).run("process.exitCode = 7")).toMatchObject({ code: 7 });
  });
});

/** Says that it is up, and leaves a note when it is told to end. */
const PATIENT = (note: string) =>
  `import { writeFileSync } from "node:fs";
   process.on("SIGTERM", () => { writeFileSync(${JSON.stringify(note)}, "ended"); process.exit(0); });
   setInterval(() => {}, 1000);
   console.log("up");`;

describe("the end of a program", () => {
  it("comes when its starter is told to end", async () => {
    const clone = await cloned();
    const note = join(clone.folder, "note");
    const child = clone.start(PATIENT(note));
    const end = finished(child);
    await once(child.stdout ?? child, "data");
    child.kill("SIGTERM");
    expect(await end).toMatchObject({ code: 0 });
    expect(await readFile(note, "utf8")).toBe("ended");
  });

  it("comes when whoever started its starter is killed", async () => {
    const clone = await cloned();
    await clone.run(HELLO);
    const note = join(clone.folder, "note");
    const start = JSON.stringify([join(clone.folder, "scripts/start.mjs"), "program.ts", PATIENT(note)]);
    const parent = spawn(
      process.execPath,
      ["-e", `require("node:child_process").spawn(process.execPath, ${start}, { stdio: "inherit" })`],
      {
        env: { ...process.env, PATH: `${join(clone.folder, "bin")}:${process.env["PATH"]}` },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    await once(parent.stdout, "data");
    parent.kill("SIGKILL");
    await expect.poll(() => existsSync(note), { timeout: 20_000 }).toBe(true);
  });
});
