/**
 * `npm run why -- EVENT PAYLOAD.json [--permission LEVEL]`: what would be done with a delivery, without doing it.
 * With `-` as the only argument, each line of standard input is one `{"event","payload","permission"?}` and each line
 * out is its decision.
 */
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { decide } from "../src/triggers/decide.ts";
import { refusePermission } from "../src/triggers/permission.ts";
import { readPayload } from "../src/webhooks/read-event.ts";
import { readAppManifest } from "./world/app-manifest.ts";
import { ROOT } from "./world/start-world.ts";

const Level = z.enum(["admin", "maintain", "write", "triage", "read", "none"]);
const Line = z.object({
  event: z.string(),
  payload: z.unknown(),
  permission: Level.default("write"),
  config: z.unknown().optional(),
});

type Verdict = { act: boolean; kind?: string; because: string; instruction?: string };

/** GitHub's API says write for maintain and read for triage. */
const GRANTS = {
  admin: "admin",
  maintain: "write",
  write: "write",
  triage: "read",
  read: "read",
  none: "none",
} as const;

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { permission: { type: "string", default: "write" }, config: { type: "string" } },
  });
  const { name: slug } = await readAppManifest(join(ROOT, "app.yml"));
  if (positionals.length === 1 && positionals[0] === "-") {
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() !== "") console.log(JSON.stringify(judgeLine(line, slug)));
    }
    return;
  }
  const [event, file] = positionals;
  if (event === undefined || file === undefined) {
    throw new Error("usage: npm run why -- EVENT PAYLOAD.json [--permission LEVEL], or npm run why -- -");
  }
  const payload: unknown = JSON.parse(await readFile(file, "utf8"));
  const permission = Level.parse(values.permission);
  console.log(JSON.stringify(judge(event, payload, permission, slug)));
}

function judgeLine(line: string, slug: string): Verdict {
  try {
    const { event, payload, permission } = Line.parse(JSON.parse(line));
    return judge(event, payload, permission, slug);
  } catch {
    return { act: false, because: "line-not-understood" };
  }
}

function judge(name: string, payload: unknown, permission: z.infer<typeof Level>, slug: string): Verdict {
  const event = readPayload({ id: "00000000-0000-0000-0000-000000000000", name }, payload);
  if (!event.ok) return { act: false, because: event.fault.why };
  if ("unhandled" in event.value) return { act: false, because: "event-not-handled" };
  const decision = decide(event.value, { slug });
  if (!decision.act) return { act: false, because: decision.because };
  const refusal = refusePermission(GRANTS[permission]);
  if (refusal !== undefined) return { act: false, because: refusal };
  const { kind, because, instruction } = decision;
  return { act: true, kind, because, instruction };
}

try {
  await main();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : String(thrown));
  process.exitCode = 1;
}
