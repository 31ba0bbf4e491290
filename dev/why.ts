/**
 * `npm run why -- EVENT PAYLOAD.json [--permission LEVEL] [--config FILE]`: what would be done with a delivery, without
 * doing it. With `-` as the only argument, each line of standard input is one `{"event","payload","permission"?,
 * "config"?}`, the config as the file's text or as JSON, and each line out is its decision.
 */
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { z } from "zod";
import { messageOf } from "../src/lib/errors.ts";
import { endProgram } from "./end-program.ts";
import { readAppManifest } from "./world/app-manifest.ts";
import { BadOptions, readOptions } from "./world/read-options.ts";
import { takeSignals, untilStopped } from "./world/take-signals.ts";
import { judge, Level, type Verdict } from "./why/judge.ts";
import { ROOT } from "./world/root.ts";

const USAGE =
  "npm run why -- EVENT PAYLOAD.json [--permission LEVEL] [--config FILE], or npm run why -- - with lines on standard input";

const Line = z.object({
  event: z.string(),
  payload: z.unknown(),
  permission: Level.default("write"),
  config: z.unknown().optional(),
});

async function main(): Promise<void> {
  const { positionals, values } = readOptions(process.argv.slice(2), {
    allowPositionals: true,
    options: { permission: { type: "string", default: "write" }, config: { type: "string" } },
    usage: USAGE,
  });
  const { name: slug } = await readAppManifest(join(ROOT, "app.yml"));
  if (positionals.length === 1 && positionals[0] === "-") {
    for await (const line of createInterface({ input: process.stdin })) {
      console.log(line.trim() === "" ? "" : JSON.stringify(judgeLine(line, slug)));
    }
    return;
  }
  const [event, file, ...stray] = positionals;
  if (event === undefined || file === undefined || stray.length > 0) {
    throw new BadOptions(
      stray.length > 0 ? `there is no use for ${stray.join(" ")}` : "an event and a file are needed",
      USAGE,
    );
  }
  const permission = Level.safeParse(values.permission);
  if (!permission.success)
    throw new BadOptions(
      `--permission is one of ${Level.options.join(", ")}, not ${values.permission}`,
      USAGE,
    );
  const delivery = { event, payload: await readJson(file), permission: permission.data };
  const config = values.config === undefined ? undefined : await readText(values.config);
  console.log(JSON.stringify(judge(config === undefined ? delivery : { ...delivery, config }, slug)));
}

function judgeLine(line: string, slug: string): Verdict {
  const read = Line.safeParse(parse(line));
  if (!read.success) return { act: false, because: "line-not-understood" };
  const { config, ...delivery } = read.data;
  if (config === undefined) return judge(delivery, slug);
  // JSON is YAML.
  const text = typeof config === "string" ? config : JSON.stringify(config);
  return judge({ ...delivery, config: text }, slug);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}

async function readText(file: string): Promise<string> {
  try {
    // Editors on Windows put a byte order mark before the text.
    return (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
    throw new Error(`${file} cannot be read (${code}); name a file that is there`, { cause: thrown });
  }
}

async function readJson(file: string): Promise<unknown> {
  const text = await readText(file);
  if (text.trim() === "")
    throw new Error(`${file} is empty; it has to hold the payload of a delivery, as JSON`);
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw new Error(`${file} is not JSON (${messageOf(thrown)}); it has to hold the payload of a delivery`, {
      cause: thrown,
    });
  }
}

try {
  await Promise.race([main(), untilStopped(takeSignals())]);
} catch (thrown) {
  endProgram(thrown, "No decision");
}
