/**
 * The engine's keeper: a process of its own that outlives the engine by a moment. It is told of each container, and
 * when its standard input ends (the engine closed, crashed or was killed) it ends the containers that are left and
 * removes their folders. A container's processes are in groups of their own, so nothing else would.
 *
 * Lines in: "+ MARK FOLDER" and "- MARK".
 */
import { createInterface } from "node:readline";
import { removeBox } from "./remove-box.ts";

// A Ctrl-C in the terminal is the engine's to answer. If that ends it, our input ends.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
process.on("SIGHUP", () => undefined);

const kept = new Map<string, string>();
for await (const line of createInterface({ input: process.stdin })) {
  const [sign, mark = "", ...folder] = line.split(" ");
  if (sign === "+") kept.set(mark, folder.join(" "));
  else kept.delete(mark);
}
await Promise.all([...kept].map(([mark, folder]) => removeBox(folder, mark)));
