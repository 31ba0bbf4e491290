/**
 * The container's tool as one file, as the image has it. Node would run the sources as they are, but takes a third of a
 * second to strip their types each time, and a change calls the tool four times.
 */
import { join } from "node:path";
import { build } from "esbuild";

/** @returns the bundle's path */
export async function bundleTool(root: string, folder: string): Promise<string> {
  const outfile = join(folder, "tool.mjs");
  await build({
    entryPoints: [join(root, "container/tool/main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    logLevel: "error",
    // CommonJS packages in the bundle ask for it.
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return outfile;
}
