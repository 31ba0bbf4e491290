/**
 * The peer, in a process of its own: a bare Node HTTP server with @octokit/webhooks' middleware, which verifies the
 * signature, parses the body and calls a handler that remembers the delivery in memory. It stores nothing.
 */
import { fork } from "node:child_process";
import { createServer } from "node:http";
import { createNodeMiddleware, Webhooks } from "@octokit/webhooks";
import { z } from "zod";

const SECRET = "PEER_WEBHOOK_SECRET";
const PATH = "/webhook";

const Listening = z.object({ port: z.number() });

export type Peer = { readonly url: string; close(): Promise<void> };

export async function startPeer(secret: string): Promise<Peer> {
  const child = fork(import.meta.filename, { env: { ...process.env, [SECRET]: secret } });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const told = await Promise.race([
    new Promise<unknown>((resolve) => child.once("message", resolve)),
    exited.then(() => undefined),
  ]);
  const { port } = Listening.parse(told, { error: () => "the peer did not start" });
  return {
    url: `http://127.0.0.1:${port}${PATH}`,
    close: async () => {
      child.kill();
      await exited;
    },
  };
}

function serve(secret: string): void {
  const webhooks = new Webhooks({ secret });
  const seen = new Set<string>();
  webhooks.on("issue_comment.created", ({ id }) => {
    seen.add(id);
  });
  const middleware = createNodeMiddleware(webhooks, { path: PATH });
  const server = createServer((request, response) => {
    middleware(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address !== null) process.send?.({ port: address.port });
  });
  // Without its parent nobody needs it.
  process.once("disconnect", () => process.exit(0));
}

const secret = process.env[SECRET];
if (import.meta.main && secret !== undefined) serve(secret);
