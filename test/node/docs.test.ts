import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ROOT } from "../../dev/world/start-world.ts";
import { readAppManifest } from "../../dev/world/app-manifest.ts";
import { RepoConfig } from "../../src/config/schema.ts";
import { WINDOWS } from "../../src/webhooks/windows.ts";

const read = (path: string) => readFile(join(ROOT, path), "utf8");
const Package = z.object({
  scripts: z.record(z.string(), z.string()),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});
const packageJson = async () => Package.parse(JSON.parse(await read("package.json")));

/** The words in backticks that stand in the first column of a document's tables. */
function firstColumn(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .flatMap((line) => [...(line.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? ""));
}

describe("app.yml", () => {
  it("asks GitHub for exactly the events that are handled", async () => {
    const manifest = await readAppManifest(join(ROOT, "app.yml"));
    const handled = new Set(Object.keys(WINDOWS).map((name) => name.split(".")[0]));
    expect(manifest.default_events.sort()).toEqual([...handled].sort());
  });

  it("asks for no permission that no token is minted with, and for each at the level that is used", async () => {
    const manifest = await readAppManifest(join(ROOT, "app.yml"));
    const source = await read("src/github/tokens.ts");
    const used = new Map<string, string>();
    for (const [, name = "", level = ""] of source.matchAll(
      /(contents|issues|pull_requests|metadata|\w+): "(read|write)"/g,
    )) {
      if (level === "write" || !used.has(name)) used.set(name, level);
    }
    expect(Object.fromEntries(used)).toEqual(manifest.default_permissions);
  });
});

describe("the README", () => {
  it("names only commands that are there", async () => {
    const { scripts } = await packageJson();
    const named = [...(await read("README.md")).matchAll(/npm (test|run [a-z]+)/g)];
    expect(named.length).toBeGreaterThan(5);
    const known = Object.keys(scripts);
    for (const [, name = ""] of named) expect(known).toContain(name.replace("run ", ""));
  });

  it("has every key of the config, and no other", async () => {
    const text = await read("README.md");
    const table = text.slice(text.indexOf("## Configure it"), text.indexOf("## How it is kept safe"));
    const schema = z.toJSONSchema(RepoConfig, { io: "input" });
    const keys = Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
      const inner = typeof value === "object" ? value.properties : undefined;
      return inner === undefined ? [key] : Object.keys(inner).map((name) => `${key}.${name}`);
    });
    expect(firstColumn(table).sort()).toEqual(keys.sort());
  });

  it("links only to files that are there", async () => {
    for (const document of ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/security.md"]) {
      const folder = join(ROOT, document, "..");
      for (const [, target = ""] of (await read(document)).matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
        await expect(
          readFile(join(folder, target)).catch(() => readdir(join(folder, target))),
          `${document} → ${target}`,
        ).resolves.toBeDefined();
      }
    }
  });
});

describe("docs/triggers.md", () => {
  it("has a line for every refusal that the code can give", async () => {
    const documented = new Set(firstColumn(await read("docs/triggers.md")));
    const decisions = await read("src/domain/decision.ts");
    const faults = await read("src/webhooks/faults.ts");
    const names = [
      "event-not-handled",
      ...[...decisions.slice(decisions.indexOf("export type Refusal")).matchAll(/"([a-z]+-[a-z]+)"/g)].map(
        ([, n]) => n,
      ),
      ...["none", "read", "unknown"].map((level) => `permission-${level}`),
      ...[...faults.matchAll(/readonly why: "([^"]+)"/g)].map(([, name]) => name),
    ];
    expect(names.length).toBeGreaterThan(14);
    for (const name of names) expect(documented, `no line for ${name}`).toContain(name);
  });

  it("has a line for every event that is handled", async () => {
    expect(firstColumn(await read("docs/triggers.md"))).toEqual(expect.arrayContaining(Object.keys(WINDOWS)));
  });
});

describe("docs/architecture.md", () => {
  it("gives a reason for each dependency, and for none that is not there", async () => {
    const text = await read("docs/architecture.md");
    const section = text.slice(text.indexOf("## Dependencies"), text.indexOf("For development:"));
    expect(firstColumn(section).sort()).toEqual(Object.keys((await packageJson()).dependencies).sort());
  });

  it("names every setting that the Worker reads", async () => {
    const source = await read("src/worker/settings.ts");
    const settings = [...source.matchAll(/readonly ([A-Z_]+)\?:/g)].map(([, name]) => name);
    expect(settings.length).toBeGreaterThan(10);
    const documented = firstColumn(await read("docs/architecture.md"));
    expect(documented).toEqual(expect.arrayContaining(settings));
  });
});

describe("versions", () => {
  it("are exact, all of them", async () => {
    const { dependencies, devDependencies } = await packageJson();
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
    );
    expect(loose).toEqual([]);
  });

  it("are locked without the address of a registry", async () => {
    for (const lock of ["package-lock.json", "container/package-lock.json"]) {
      expect(await read(lock)).not.toContain('"resolved"');
    }
  });
});
