import { readFile } from "node:fs/promises";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig, type Plugin } from "vitest/config";

/** Prompts are text, here as in wrangler's rules. */
const markdownAsText: Plugin = {
  name: "markdown-as-text",
  enforce: "pre",
  async load(id) {
    if (!id.endsWith(".md")) return undefined;
    return `export default ${JSON.stringify(await readFile(id, "utf8"))};`;
  },
};

export default defineConfig({
  test: {
    // The Worker's log lines tell something only where a test has failed.
    silent: "passed-only",
    // Journeys wait more than they compute, so one worker more than the two cores of a small machine.
    maxWorkers: 3,
    projects: [
      {
        plugins: [markdownAsText],
        test: {
          name: "node",
          include: ["test/node/**/*.test.ts"],
          // A journey starts the whole local world; a unit test takes milliseconds either way.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [
          cloudflareTest({ wrangler: { configPath: "./test/workerd/wrangler.jsonc" } }),
          markdownAsText,
        ],
        test: {
          name: "workerd",
          include: ["test/workerd/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
