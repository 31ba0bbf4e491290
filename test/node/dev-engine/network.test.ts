import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openWorld, SECRET, until } from "./world.ts";
import type { World } from "./world.ts";

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.close());

it("hands plain http to the Worker with its address, container and secret, and streams the answer", async () => {
  const seen: Record<string, unknown>[] = [];
  let release = (): void => undefined;
  world.egress = (request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request) body += chunk;
      seen.push({ method: request.method, path: request.url, body, ...request.headers });
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: first\n\n");
      release = () => response.end("data: last\n\n");
    })();
  };
  await world.start("a");
  const script = `
    const http = require("node:http");
    const proxy = new URL(process.env.http_proxy);
    const request = http.request({ host: proxy.hostname, port: proxy.port, method: "POST", path: "http://Model.internal/v1/messages?beta=true",
      headers: { host: "Model.internal", "x-api-key": "placeholder", "x-engine-container": "forged", "x-engine-secret": "forged" } }, (response) => {
      console.log(response.statusCode, response.headers["content-type"]);
      response.on("data", (chunk) => console.log(String(chunk).trim()));
    });
    request.end("hello");`;
  const execed = world.exec("a", ["node", "-e", script]);
  await until(() => seen.length > 0);
  release();
  expect(await execed).toMatchObject({
    exitCode: 0,
    stdout: "200 text/event-stream\ndata: first\ndata: last\n",
  });
  expect(seen[0]).toMatchObject({
    method: "POST",
    path: "/egress",
    body: "hello",
    "x-api-key": "placeholder",
    "x-engine-container": "a",
    "x-engine-secret": SECRET,
    "x-engine-url": "http://model.internal/v1/messages?beta=true",
  });
});

it("passes the first event on before the last one is there", async () => {
  let finish = (): void => undefined;
  world.egress = (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write("data: first\n\n");
    finish = () => response.end();
  };
  await world.start("a");
  const execed = world.exec("a", [
    "sh",
    "-c",
    'curl -sN http://model.internal/ | (read line; echo "$line" > first; cat)',
  ]);
  await until(() => existsSync(join(world.root, "a/workspace/first")));
  finish();
  expect((await execed).exitCode).toBe(0);
});

it("refuses what is not plain http through the proxy", async () => {
  await world.start("a");
  const curl = async (...args: string[]) =>
    (await world.exec("a", ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code} %{http_connect}", ...args]))
      .stdout;
  expect(await curl("https://model.internal/")).toBe("000 403");
  const direct = await world.exec("a", [
    "sh",
    "-c",
    'curl -s --noproxy "*" -w "%{http_code}" $http_proxy/containers/a',
  ]);
  expect(direct.stdout).toContain("403");
});

it("reaches the daemon's port of each container, and no other port of this machine", async () => {
  const listener = createServer((_request, response) => response.end("private"));
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  try {
    const env = { CF_HARNESS_PORT: "8080", CF_HARNESS_TOKEN: "t", CF_HARNESS_ADAPTER: "claude-code" };
    for (const id of ["a", "b"]) {
      await world.start(id, {
        entrypoint: undefined,
        env: { ...env, CF_HARNESS_RUNTIME_ID: `runtime-${id}` },
      });
      await until(
        async () => (await world.call("GET", `/containers/${id}/ports/8080/healthz`)).status === 200,
      );
    }
    expect((await world.call("GET", `/containers/a/ports/${port}/`)).status).toBe(502);
    expect((await world.call("GET", "/containers/c/ports/8080/healthz")).status).toBe(502);
  } finally {
    listener.close();
  }
});
