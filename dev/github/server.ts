/** The one origin: REST under /api/v3, git and pages at the root, downloads, and the control API. */
import { createAdaptorServer } from "@hono/node-server";
import type { HttpBindings, ServerType } from "@hono/node-server";
import { Hono } from "hono";
import type { Context } from "hono";
import { controlRoutes } from "./control/routes.ts";
import { gitHttp } from "./git-http/backend.ts";
import { Rest } from "./http/rest.ts";
import { download } from "./routes/archive.ts";
import { routes } from "./routes/index.ts";
import { page } from "./web/pages.ts";
import type { World } from "./world.ts";

type Env = { Bindings: HttpBindings };

type Listening = { readonly url: string; close(): Promise<void> };

/** Listens on 127.0.0.1 only. */
export async function listen(world: World, port: number): Promise<Listening> {
  const server = createAdaptorServer({ fetch: createApp(world).fetch });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no TCP address");
  return { url: `http://127.0.0.1:${address.port}`, close: () => stop(server) };
}

function createApp(world: World): Hono<Env> {
  const rest = new Rest(world, routes);
  const app = new Hono<Env>();
  app.route("/_world", controlRoutes(world));
  app.get("/_codeload/*", (c) => download(world, new URL(c.req.url)));
  const api = (c: Context<Env>) => {
    const path = new URL(c.req.url).pathname.slice("/api/v3".length);
    return rest.handle(c.req.raw, path === "" ? "/" : path, hangupOf(c));
  };
  app.all("/api/v3", api);
  app.all("/api/v3/*", api);
  app.post("/api/graphql", (c) =>
    c.json({ data: null, errors: [{ type: "NOT_IMPLEMENTED", message: "This server speaks REST only." }] }),
  );
  app.all("*", async (c) => {
    const git = await gitHttp(world, c.req.raw, hangupOf(c));
    return git ?? (await page(world, new URL(c.req.url).pathname)) ?? c.text("Not Found", 404);
  });
  app.onError((error, c) => {
    world.log(`500 ${c.req.method} ${c.req.path}: ${error.stack ?? error.message}`);
    return c.json({ message: "Server Error" }, 500);
  });
  return app;
}

/** Destroys the socket under a request: its client sees a reset, whatever is answered afterwards. */
function hangupOf(c: Context<Env>): () => void {
  return () => c.env.incoming.socket.destroy();
}

async function stop(server: ServerType): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if ("closeAllConnections" in server) server.closeAllConnections();
  await closed;
}
