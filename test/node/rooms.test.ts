import { readdir, readFile } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

/**
 * Which rooms a room may import from, besides domain and lib, which everyone may. worker/ alone joins them all. Packages
 * are listed where a room owns them.
 */
const ROOMS: Record<string, { rooms: string[]; packages: string[] }> = {
  domain: { rooms: [], packages: [] },
  lib: {
    rooms: [],
    packages: ["mdast-util-from-markdown", "mdast-util-gfm", "micromark-extension-gfm", "mdast"],
  },
  webhooks: { rooms: [], packages: ["zod"] },
  triggers: {
    rooms: [],
    packages: ["mdast"],
  },
  config: { rooms: [], packages: ["yaml", "zod"] },
  model: { rooms: [], packages: ["@anthropic-ai/sdk"] },
  repository: { rooms: [], packages: ["modern-tar", "re2js"] },
  github: { rooms: [], packages: ["octokit", "@octokit/auth-app", "zod", "node:crypto"] },
  report: {
    rooms: [],
    packages: ["mdast"],
  },
  answer: {
    rooms: ["model"],
    packages: ["@anthropic-ai/sdk", "acorn", "acorn-walk", "zod", "cloudflare:workers"],
  },
  egress: { rooms: [], packages: ["zod"] },
  coding: { rooms: ["egress"], packages: ["agents", "zod"] },
  publish: { rooms: ["report"], packages: [] },
  task: {
    rooms: ["answer", "coding", "config", "model", "publish", "report", "triggers"],
    packages: ["agents", "zod", "@anthropic-ai/sdk"],
  },
  worker: {
    rooms: [
      "answer",
      "coding",
      "config",
      "egress",
      "github",
      "model",
      "publish",
      "report",
      "repository",
      "task",
      "triggers",
      "webhooks",
    ],
    packages: ["agents", "zod", "cloudflare:workers"],
  },
};

type Import = { from: string; file: string; to: string; typeOnly: boolean };

async function importsOf(folder: string): Promise<Import[]> {
  const found: Import[] = [];
  for (const entry of await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".ts") || entry.name.endsWith(".d.ts")) continue;
    const path = join(entry.parentPath, entry.name);
    const text = await readFile(path, "utf8");
    const room = relative(join(ROOT, "src"), path).split(sep)[0] ?? "";
    for (const match of text.matchAll(/(?:^|\n)(?:import|export)(\s+type)?\b[^;]*?\bfrom\s+"([^"]+)"/g)) {
      const target = match[2] ?? "";
      const to = target.startsWith(".")
        ? (relative(join(ROOT, "src"), resolve(path, "..", target)).split(sep)[0] ?? "")
        : target;
      found.push({ from: room, file: relative(ROOT, path), to, typeOnly: match[1] !== undefined });
    }
  }
  return found;
}

const packageName = (specifier: string) =>
  specifier.startsWith("@") ? specifier.split("/", 2).join("/") : (specifier.split("/", 1)[0] ?? specifier);

describe("the rooms of src", () => {
  it("are all known to this rule", async () => {
    const folders = await readdir(join(ROOT, "src"), { withFileTypes: true });
    const rooms = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    expect(rooms.sort()).toEqual(Object.keys(ROOMS).sort());
  });

  it("import only what lies on their side", async () => {
    const wrong = (await importsOf("src")).filter(({ from, to }) => {
      if (to === from || to === "domain" || to === "lib" || to === "..") return false;
      const rules = ROOMS[from];
      return (
        !rules?.rooms.includes(to) &&
        !rules?.packages.includes(packageName(to)) &&
        !rules?.packages.includes(to)
      );
    });
    expect(wrong.map(({ file, to }) => `${file} imports ${to}`)).toEqual([]);
  });

  it("get octokit and the App's key from github/ alone", async () => {
    const users = (await importsOf("src")).filter(({ to }) => /octokit/.test(to)).map(({ from }) => from);
    expect([...new Set(users)]).toEqual(["github"]);
  });

  it("never import what is for development", async () => {
    const wrong = (await importsOf("src")).filter(({ to }) =>
      ["dev", "test", "bench", "scripts"].includes(to),
    );
    expect(wrong).toEqual([]);
  });

  it("take from github/ only what its index offers, so that no token gets out", async () => {
    const files = await importsOf("src");
    const direct: string[] = [];
    for (const { file, from } of files) {
      if (from === "github") continue;
      const text = await readFile(join(ROOT, file), "utf8");
      for (const match of text.matchAll(/from "(?:\.\.\/)+github\/([a-z-]+)\.ts"/g)) {
        if (match[1] !== "index") direct.push(`${file}: ${match[1]}`);
      }
    }
    const allowed = ["src/worker/settings.ts: private-key", "src/worker/settings.ts: tokens"];
    expect([...new Set(direct)].filter((each) => !allowed.includes(each))).toEqual([]);
  });

  it("keep their files under 300 lines", async () => {
    const long: string[] = [];
    for (const folder of ["src", "dev", "container/daemon", "container/tool", "test", "scripts"]) {
      for (const entry of await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(?:ts|mjs)$/.test(entry.name)) continue;
        const path = join(entry.parentPath, entry.name);
        if (path.includes(`node_modules`)) continue;
        const lines = (await readFile(path, "utf8")).split("\n").length - 1;
        if (lines > 300) long.push(`${relative(ROOT, path)}: ${lines}`);
      }
    }
    expect(long).toEqual([]);
  });
});
