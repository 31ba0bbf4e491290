/** The demo's repository: plainwords, a small text library with one real bug and one failing test that shows it. */
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("./demo-repository/", import.meta.url));

/** Path, with `/`, to text. What the repository's own .gitignore names is left out. */
export async function readDemoRepository(): Promise<Record<string, string>> {
  const entries = await readdir(FOLDER, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(FOLDER, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !/(?:^|\/)(?:node_modules|coverage)\/|\.log$/.test(path))
    .toSorted();
  const texts = await Promise.all(paths.map((path) => readFile(join(FOLDER, path), "utf8")));
  return Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? ""]));
}
