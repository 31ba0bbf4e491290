/**
 * A process that starts an engine with one container in it and then waits: for the test that kills it. It prints the id
 * of a process in the container.
 */
import { createServer } from "node:http";
import { openWorld } from "./world.ts";

const world = await openWorld(process.argv[2]);
await world.start("a");
const { stdout } = await world.exec("a", ["sh", "-c", "setsid sleep 300 >/dev/null 2>&1 & echo $!"]);
process.stdout.write(stdout);
// Something to live for.
createServer().listen(0, "127.0.0.1");
