/** The whole chain for the end-to-end test: workerd, engine, daemon, Claude Code, the local model and a git server. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unstable_startWorker } from "wrangler";
import { freePort } from "../../../dev/engine/free-port.ts";
import { startModel } from "../../../dev/model/server.ts";
import type { LocalModel } from "../../../dev/model/server.ts";
import { startGitServer } from "../container/git-server.ts";
import type { GitServer } from "../container/git-server.ts";
import { openWorld, SECRET } from "./world.ts";
import type { World } from "./world.ts";

const CONFIG = new URL("../../workerd/local-engine/wrangler.jsonc", import.meta.url).pathname;

export type Probe = {
  readonly world: World;
  readonly model: LocalModel;
  readonly git: GitServer;
  readonly served: string;
  /** Act on the object `name`. */
  act<T>(name: string, act: string, body?: string): Promise<T>;
  /** Where the engine brings what the container `name` sends. */
  egressUrl(name: string): string;
  /** End workerd and start it anew on the same storage. */
  restartWorker(): Promise<void>;
  close(): Promise<void>;
};

export async function openProbe(): Promise<Probe> {
  const root = mkdtempSync(join(tmpdir(), "probe-"));
  const served = join(root, "served");
  const world = await openWorld();
  const model = await startModel({ keys: ["real-key"] });
  const git = await startGitServer(served);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const text = (value: string) => ({ type: "plain_text" as const, value });
  const startWorker = async () => {
    const worker = await unstable_startWorker({
      config: CONFIG,
      bindings: {
        ENGINE_URL: text(world.engine.url),
        ENGINE_SECRET: text(SECRET),
        OWN_URL: text(url),
        MODEL_URL: text(model.url),
        GIT_URL: text(git.proxy),
      },
      dev: {
        server: { hostname: "127.0.0.1", port },
        inspector: false,
        persist: join(root, "storage"),
        watch: false,
        logLevel: "none",
      },
    });
    await worker.ready;
    return worker;
  };
  let worker = await startWorker();
  return {
    world,
    model,
    git,
    served,
    async act<T>(name: string, act: string, body?: string): Promise<T> {
      const response = await fetch(`${url}/probe/${name}/${act}`, {
        method: "POST",
        ...(body === undefined ? {} : { body }),
      });
      if (!response.ok) throw new Error(`${act}: ${response.status} ${await response.text()}`);
      const value: T = JSON.parse(await response.text());
      return value;
    },
    egressUrl: (name) => `${url}/egress/${name}`,
    async restartWorker() {
      await worker.dispose();
      worker = await startWorker();
    },
    async close() {
      await worker.dispose();
      await world.close();
      await model.close();
      await git.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
