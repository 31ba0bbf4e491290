/**
 * `npm run doctor`: what is missing or wrong in this checkout's settings for a deploy, each with its mend. It reads the
 * settings from the environment and from .dev.vars, as wrangler does, and sends nothing anywhere.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { readSettings } from "../src/worker/settings.ts";

const ROOT = join(import.meta.dirname, "..");

function settingsHere(): Record<string, string> {
  const file = join(ROOT, ".dev.vars");
  const vars = existsSync(file) ? parseEnv(readFileSync(file, "utf8")) : {};
  const known: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...vars, ...process.env })) {
    if (value !== undefined && /^(?:GITHUB|ANTHROPIC)_|_MODEL$/.test(name)) known[name] = value;
  }
  return known;
}

const settings = readSettings(settingsHere());
if (settings.ok) {
  console.log(`The settings can be used: App ${settings.value.slug} on ${settings.value.host}.`);
} else {
  console.error(`${settings.fault.setting}: ${settings.fault.mend}`);
  process.exitCode = 1;
}
