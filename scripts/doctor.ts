/**
 * `npm run doctor`: everything that is missing or wrong in this checkout's settings for a deploy, each with its mend. It
 * reads them from "vars" of wrangler.jsonc, from .dev.vars as `wrangler dev` does, and from the environment; the later
 * wins. It sends nothing anywhere and prints no value.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { unstable_readConfig } from "wrangler";
import { z } from "zod";
import { readSettings, settingsFaults, SETTINGS, type SettingsEnv } from "../src/worker/settings.ts";

const ROOT = join(import.meta.dirname, "..");
const FILE = join(ROOT, ".dev.vars");

const Config = z.object({
  vars: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)),
});

/** Those that wrangler keeps as secrets; the others are vars. */
const SECRETS = /KEY$|SECRET/;

/** @throws Error that says what is wrong with the file */
function settingsHere(file: string): SettingsEnv {
  const config: unknown = unstable_readConfig(
    { config: join(ROOT, "wrangler.jsonc") },
    { hideWarnings: true },
  );
  const here: Readonly<Record<string, string | undefined>> = {
    ...Config.parse(config).vars,
    ...(existsSync(file) ? parseEnv(readVars(file)) : {}),
    ...process.env,
  };
  return Object.fromEntries(
    SETTINGS.flatMap((name) => (here[name] === undefined ? [] : [[name, here[name]]])),
  );
}

function readVars(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
    const problem = code === "EISDIR" ? "is a folder" : `cannot be read (${String(code)})`;
    throw new Error(`${file} ${problem}; it has to be a file with one NAME=value a line, or not there.`, {
      cause: thrown,
    });
  }
}

function mendOf(setting: string): string {
  return SECRETS.test(setting)
    ? `npx wrangler secret put ${setting}`
    : `put it in "vars" of wrangler.jsonc: "${setting}": "…"`;
}

function main(): void {
  const env = settingsHere(process.argv[2] ?? FILE);
  const faults = settingsFaults(env);
  for (const { setting, mend } of faults) console.error(`${setting}: ${mend}\n    ${mendOf(setting)}`);
  if (faults.length > 0) {
    console.error(
      `\n${faults.length} to mend. To check them here first, write NAME=value lines to .dev.vars.`,
    );
    process.exitCode = 1;
    return;
  }
  const settings = readSettings(env);
  if (!settings.ok) throw new Error(`${settings.fault.setting}: ${settings.fault.mend}`);
  console.log(`The settings can be used: App ${settings.value.slug} on ${settings.value.host}.`);
}

try {
  main();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : String(thrown));
  process.exitCode = 1;
}
