import { describe, expect, it } from "vitest";
import { refusal, refusalText, type EgressFault } from "../../src/egress/fault.ts";
import { gitRequest, gitResponse } from "../../src/egress/git-route.ts";
import { MAX_MODEL_REQUEST_BYTES, modelRequest, modelResponse } from "../../src/egress/model-route.ts";

const UPSTREAM = { baseUrl: "https://provider.example/", apiKey: "operators-key", models: ["claude-a"] };

/** What the provider takes, and the run may ask for. */
const ASKED = JSON.stringify({ model: "claude-a", messages: [{ role: "user", content: "hi" }] });

/** What a container could put on a request to get further than it may. */
const SMUGGLED = {
  authorization: "Bearer containers-own",
  "x-api-key": "containers-own",
  cookie: "session=1",
  "proxy-authorization": "Basic eA==",
  "cf-connecting-ip": "10.0.0.1",
  "cf-ray": "1",
  "x-forwarded-host": "evil.example",
  "x-forwarded-for": "10.0.0.1",
  forwarded: "host=evil.example",
  "x-original-url": "/v1/files",
  "x-http-method-override": "DELETE",
  referer: "https://evil.example/",
  origin: "https://evil.example",
};

const post = (url: string, headers: Record<string, string> = {}, body: BodyInit = ASKED) =>
  new Request(url, { method: "POST", headers, body });

function namesOf(headers: Headers): string[] {
  return [...headers].map(([name]) => name).sort();
}

describe("a request to the model", () => {
  it("goes to the provider of our settings, whatever host it names, with our key and only what describes it", async () => {
    const described = {
      accept: "text/event-stream",
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "x-2026",
      "user-agent": "claude-cli/2",
    };
    for (const host of [
      "model.internal",
      "evil.example",
      "provider.example.evil.example",
      "169.254.169.254",
      "user:pass@model.internal",
    ]) {
      const request = await modelRequest(
        post(`http://${host}/v1/messages?beta=true`, { ...SMUGGLED, ...described }),
        UPSTREAM,
      );
      if (!request.ok) throw new Error(request.fault.why);
      expect(request.value.url).toBe("https://provider.example/v1/messages?beta=true");
      expect(request.value.method).toBe("POST");
      expect(request.value.redirect).toBe("manual");
      expect(Object.fromEntries(request.value.headers)).toEqual({
        ...described,
        "x-api-key": "operators-key",
      });
      expect(await request.value.text()).toBe(ASKED);
    }
  });

  it("keeps the path of a gateway in front of the provider", async () => {
    const gateway = { ...UPSTREAM, baseUrl: "https://gateway.example/acme/anthropic" };
    const request = await modelRequest(post("http://model.internal/v1/messages/count_tokens"), gateway);
    expect(request.ok && request.value.url).toBe(
      "https://gateway.example/acme/anthropic/v1/messages/count_tokens",
    );
  });

  it.each([
    "/",
    "/v1",
    "/v1/messages/",
    "/v1/messages/batches",
    "/v1/files",
    "/v1/models",
    "/v1/organizations/me",
    "/V1/Messages",
    "//v1/messages",
    "/v1//messages",
    "/v1/messages/../files",
    "/v1/messages/%2e%2e/files",
    "/v1/messages%2f..%2ffiles",
    "/v1%2fmessages",
    "/v1/%6Dessages",
    "/v1/messages;x",
    "/v1/messages%00",
    "/v1/messages%20",
    "/v1\\messages\\batches",
    "/x/v1/messages",
    "/v1/responses",
  ])("goes nowhere else: %s", async (path) => {
    const request = await modelRequest(post(`http://model.internal${path}`), UPSTREAM);
    expect(request).toMatchObject({ ok: false, fault: { why: "path-not-allowed" } });
  });

  it.each(["GET", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"])("is none as %s", async (method) => {
    const request = new Request("http://model.internal/v1/messages", { method });
    expect(await modelRequest(request, UPSTREAM)).toEqual({
      ok: false,
      fault: { why: "method-not-allowed", method, path: "/v1/messages" },
    });
  });

  it("may declare as many bytes as the provider takes, and not one more", async () => {
    const declaring = (bytes: number) =>
      modelRequest(post("http://model.internal/v1/messages", { "content-length": String(bytes) }), UPSTREAM);
    expect((await declaring(MAX_MODEL_REQUEST_BYTES)).ok).toBe(true);
    expect(await declaring(MAX_MODEL_REQUEST_BYTES + 1)).toEqual({
      ok: false,
      fault: { why: "body-too-large", limit: MAX_MODEL_REQUEST_BYTES },
    });
  });
});

describe("what an upstream answers", () => {
  const headers = {
    ...SMUGGLED,
    "content-type": "text/event-stream",
    "set-cookie": "a=b",
    location: "https://elsewhere.example/",
    "anthropic-organization-id": "acme",
    "www-authenticate": "Basic",
    "access-control-allow-origin": "*",
    "cache-control": "no-cache",
    "request-id": "req_1",
    "retry-after": "1",
    "x-should-retry": "true",
  };

  it("reaches the container as its body and what describes it", async () => {
    const answer = modelResponse(new Response("data", { status: 529, headers }));
    expect(answer.status).toBe(529);
    expect(namesOf(answer.headers)).toEqual(["content-type", "request-id", "retry-after", "x-should-retry"]);
    expect(await answer.text()).toBe("data");
  });

  it("as a redirect leads nowhere", () => {
    const moved = () => new Response(null, { status: 302, headers });
    expect(modelResponse(moved()).headers.get("location")).toBeNull();
    expect(gitResponse(moved()).headers.get("location")).toBeNull();
  });

  it("to git asks for no password: the container has none to give", () => {
    const answer = gitResponse(new Response("no", { status: 401, headers }));
    expect(answer.status).toBe(403);
    expect(namesOf(answer.headers)).toEqual(["cache-control", "content-type"]);
  });
});

describe("a request of git", () => {
  const REFS = "/repository.git/info/refs?service=git-upload-pack";
  const PACK = "/repository.git/git-upload-pack";

  it("reads: the list of refs, then a pack, with only what describes them", async () => {
    const described = {
      accept: "*/*",
      "content-type": "application/x-git-upload-pack-request",
      "content-encoding": "gzip",
      "git-protocol": "version=2",
      "user-agent": "git/2.39.5",
    };
    const refs = gitRequest(
      new Request(`http://git.internal${REFS}`, { headers: { ...SMUGGLED, ...described } }),
    );
    const pack = gitRequest(post(`http://evil.example${PACK}`, { ...SMUGGLED, ...described }));
    if (!refs.ok || !pack.ok) throw new Error("refused");
    expect(refs.value).toMatchObject({
      method: "GET",
      path: "/info/refs?service=git-upload-pack",
      body: null,
    });
    expect(pack.value).toMatchObject({ method: "POST", path: "/git-upload-pack" });
    for (const { headers } of [refs.value, pack.value])
      expect(Object.fromEntries(headers)).toEqual(described);
    expect(await new Response(pack.value.body).text()).toBe(ASKED);
  });

  it.each([
    ["GET", "/repository.git/info/refs?service=git-receive-pack"],
    ["GET", "/repository.git/info/refs?service=git-receive-pack&x=1"],
    ["POST", "/repository.git/git-receive-pack"],
    ["POST", "/repository.git/git-receive-pack/"],
    ["POST", "/other.git/git-receive-pack"],
    ["GET", "/git-receive-pack"],
    ["POST", "/repository.git/git-upload-pack?x=git-receive-pack"],
  ])("that would push is refused as a push: %s %s", (method, path) => {
    expect(gitRequest(new Request(`http://git.internal${path}`, { method }))).toEqual({
      ok: false,
      fault: { why: "push-refused" },
    });
  });

  it.each([
    ["POST", REFS],
    ["HEAD", REFS],
    ["GET", PACK],
    ["PUT", PACK],
    ["GET", "/repository.git/info/refs"],
    ["GET", `${REFS}&service=x`],
    ["GET", "/repository.git/info/refs?service=git-upload-archive"],
    ["GET", "/repository.git/info/refs?service=git-receive%2Dpack"],
    ["POST", "/repository.git/git-receive%2Dpack"],
    ["POST", "/repository.git/GIT-RECEIVE-PACK"],
    ["GET", "/octo/other.git/info/refs?service=git-upload-pack"],
    ["POST", "/repository.git/../octo/other.git/git-upload-pack"],
    ["POST", "/repository.git/%2e%2e/octo/other.git/git-upload-pack"],
    ["POST", "//repository.git/git-upload-pack"],
    ["POST", "/repository.git//git-upload-pack"],
    ["POST", "/repository.git/git-upload-pack/"],
    ["POST", "/Repository.git/git-upload-pack"],
    ["GET", "/repository.git/HEAD"],
    ["GET", "/repository.git/objects/info/packs"],
    ["GET", "/repository.git/info/lfs/objects/batch"],
    ["GET", "/repository.git/config"],
    ["GET", "/"],
  ])("that is neither is refused: %s %s", (method, path) => {
    expect(gitRequest(new Request(`http://git.internal${path}`, { method }))).toMatchObject({
      ok: false,
      fault: { why: "path-not-allowed" },
    });
  });
});

describe("a refusal", () => {
  it.each<[EgressFault, number]>([
    [{ why: "host-not-allowed", host: "evil.example" }, 403],
    [{ why: "method-not-allowed", method: "GET", path: "/x" }, 403],
    [{ why: "path-not-allowed", path: "/x" }, 403],
    [{ why: "push-refused" }, 403],
    [{ why: "body-unreadable" }, 403],
    [{ why: "model-not-allowed", model: "claude-b" }, 403],
    [{ why: "hosted-tool", tool: "web_search_20250305" }, 403],
    [{ why: "body-too-large", limit: 5 }, 413],
  ])("%j says so in plain text with %i", async (fault, status) => {
    const answer = refusal(fault);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-patchwright-refused")).toBe(fault.why);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(await answer.text()).toBe(`${refusalText(fault)}\n`);
    expect(refusalText(fault)).toMatch(/^Patchwright: .*\.$/);
  });
});
