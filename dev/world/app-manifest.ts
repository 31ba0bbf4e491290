/** app.yml, as the local GitHub needs it: the App of the local world asks for what the real one asks for. */
import { readFile } from "node:fs/promises";
import { parse } from "yaml";
import { z } from "zod";

const Manifest = z.object({
  name: z.string(),
  default_events: z.array(z.string()),
  default_permissions: z.record(z.string(), z.enum(["read", "write"])),
});
export type AppManifest = z.infer<typeof Manifest>;

export async function readAppManifest(path: string): Promise<AppManifest> {
  return Manifest.parse(parse(await readFile(path, "utf8")));
}
