import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../../../dev/world/root.ts";
import { SETTINGS } from "../../../src/worker/settings.ts";
import { finished } from "./clone.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
});

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "doctor-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Those of this machine's environment are not the ones that are looked at. */
function clean(): NodeJS.ProcessEnv {
  const names: readonly string[] = SETTINGS;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.includes(name)));
}

async function doctor(vars: Readonly<Record<string, string>>) {
  const file = join(folder, "vars");
  await writeFile(
    file,
    Object.entries(vars)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(""),
  );
  return ask(file);
}

function ask(file: string) {
  return finished(
    spawn(process.execPath, [join(ROOT, "scripts/doctor.ts"), file], { env: clean(), cwd: ROOT }),
  );
}

const WHOLE = {
  GITHUB_APP_ID: "77",
  GITHUB_APP_SLUG: "patchwright",
  GITHUB_PRIVATE_KEY: privateKey,
  GITHUB_WEBHOOK_SECRET: "a-secret-of-some-length",
  ANTHROPIC_API_KEY: "sk-example",
};

describe("the doctor", () => {
  it("finds nothing wrong with settings that are whole", async () => {
    expect(await doctor(WHOLE)).toMatchObject({
      code: 0,
      out: expect.stringContaining("App patchwright on"),
    });
  });

  it("names everything that is wrong, each once, with the command that mends it", async () => {
    const { code, err } = await doctor({ ...WHOLE, GITHUB_WEBHOOK_SECRET: "short", RETRY_SECONDS: "soon" });
    expect(code).toBe(1);
    expect(err).toContain("npx wrangler secret put GITHUB_WEBHOOK_SECRET");
    expect(err).toMatch(/RETRY_SECONDS: set it to a number of seconds\.\n.*"vars" of wrangler\.jsonc/);
    expect(err).toContain("2 to mend");
    expect(err).not.toContain("short\n");
  });

  it("tells what is missing in a checkout that has no settings", async () => {
    const { code, err } = await ask(join(folder, "no-such-file"));
    expect(code).toBe(1);
    for (const name of Object.keys(WHOLE)) expect(err).toMatch(new RegExp(`^${name}: it is`, "m"));
  });

  it("says that a folder is no file", async () => {
    const { code, err } = await ask(folder);
    expect(code).toBe(1);
    expect(err).toMatch(/is a folder; it has to be a file/);
    expect(err).not.toContain("    at ");
  });
});
