import { Webhooks } from "@octokit/webhooks";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_BODY_BYTES, openDelivery } from "../../../src/webhooks/open-delivery.ts";
import { delivery, digestOf, GUID, SECRET, streamed } from "./deliveries.ts";

const opened = (request: Request, secrets: readonly string[] = [SECRET]) => openDelivery(request, secrets);

describe("the signature of a delivery", () => {
  it("is the one of GitHub's documentation", async () => {
    const documented = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    const request = delivery("Hello, World!", { "x-hub-signature-256": documented });
    expect(await opened(request)).toMatchObject({ ok: true, value: { id: GUID, name: "issue_comment" } });
  });

  it("is the one octokit makes, for any text", async () => {
    const octokit = new Webhooks({ secret: SECRET });
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (body) => {
        const signature = await octokit.sign(body);
        expect((await opened(delivery(body, { "x-hub-signature-256": signature }))).ok).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("is refused with any one of its 256 bits flipped", async () => {
    const digest = Buffer.from(digestOf("{}"), "hex");
    for (let bit = 0; bit < 256; bit++) {
      const flipped = Buffer.from(digest);
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      const request = delivery("{}", { "x-hub-signature-256": `sha256=${flipped.toString("hex")}` });
      expect(await opened(request)).toEqual({ ok: false, fault: { why: "signature-mismatch" } });
    }
  });

  it("is refused for a body that differs by one byte", async () => {
    const request = delivery('{"a":2}', { "x-hub-signature-256": `sha256=${digestOf('{"a":1}')}` });
    expect(await opened(request)).toEqual({ ok: false, fault: { why: "signature-mismatch" } });
  });

  it.each([
    ["the current secret", ["new secret", "old secret"], "new secret", true],
    ["the previous secret", ["new secret", "old secret"], "old secret", true],
    ["a secret that was dropped", ["new secret"], "old secret", false],
    ["no secret at all", [], "old secret", false],
  ])("made with %s", async (_, secrets, used, ok) => {
    const request = delivery("{}", { "x-hub-signature-256": `sha256=${digestOf("{}", used)}` });
    expect((await opened(request, secrets)).ok).toBe(ok);
  });

  it.each([
    ["a byte order mark", Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d)],
    ["bytes that are not UTF-8", Uint8Array.of(0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22)],
    ["a NUL", Uint8Array.of(0)],
    ["nothing", new Uint8Array(0)],
  ])("covers the raw bytes: %s", async (_, bytes) => {
    const result = await opened(delivery(bytes));
    expect(result.ok && Buffer.from(result.value.body).equals(Buffer.from(bytes))).toBe(true);
  });
});

describe("the head of a delivery", () => {
  it.each(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])("is not that of %s", async (method) => {
    const request = new Request("https://app.example/webhook", { method });
    expect(await opened(request)).toEqual({ ok: false, fault: { why: "method", method } });
  });

  it.each([
    ["application/json", true],
    ["application/json; charset=utf-8", true],
    ["Application/JSON ;charset=UTF-8", true],
    ["application/x-www-form-urlencoded", false],
    ["application/jsonp", false],
    ["text/plain, application/json", false],
    ["application/json, text/plain", false],
    ["", false],
  ])("has the content type %j: taken %s", async (type, ok) => {
    const result = await opened(delivery("{}", { "content-type": type }));
    expect(result.ok).toBe(ok);
    if (!result.ok) expect(result.fault).toEqual({ why: "content-type", contentType: type });
  });

  it.each(["x-github-delivery", "x-github-event", "x-hub-signature-256"])("needs %s", async (header) => {
    const missing = await opened(delivery("{}", { [header]: undefined }));
    expect(missing).toEqual({ ok: false, fault: { why: "header-missing", header } });
    const empty = await opened(delivery("{}", { [header]: "" }));
    expect(empty).toEqual({ ok: false, fault: { why: "header-malformed", header } });
  });

  it.each(["x-github-delivery", "x-github-event", "x-hub-signature-256"])(
    "takes no %s that came twice, even if both are the same",
    async (header) => {
      const request = delivery("{}");
      request.headers.append(header, request.headers.get(header) ?? "");
      expect(await opened(request)).toEqual({ ok: false, fault: { why: "header-malformed", header } });
    },
  );

  const hex = digestOf("{}");
  it.each([
    ["x-hub-signature-256", hex],
    ["x-hub-signature-256", `sha1=${hex}`],
    ["x-hub-signature-256", `sha256=${hex.slice(1)}`],
    ["x-hub-signature-256", `sha256=${hex}0`],
    ["x-hub-signature-256", `sha256=${hex.toUpperCase()}`],
    ["x-hub-signature-256", `sha256=${"z".repeat(64)}`],
    ["x-github-delivery", "1"],
    ["x-github-delivery", `${GUID}\u00e9`],
    ["x-github-delivery", `${GUID}0`],
    ["x-github-event", "issue comment"],
    ["x-github-event", "Issue_comment"],
    ["x-github-event", "__proto__"],
    ["x-github-event", "a".repeat(65)],
  ])("refuses the %s %j", async (header, value) => {
    const result = await opened(delivery("{}", { [header]: value }));
    expect(result).toEqual({ ok: false, fault: { why: "header-malformed", header } });
  });

  it("names a delivery in lower case, so that one GUID is one delivery", async () => {
    const result = await opened(delivery("{}", { "x-github-delivery": GUID.toUpperCase() }));
    expect(result).toMatchObject({ ok: true, value: { id: GUID } });
  });

  it("decides before a byte of the body is read", async () => {
    const request = delivery("{}", { "x-hub-signature-256": undefined });
    await opened(request);
    expect(request.bodyUsed).toBe(false);
  });
});

describe("the body of a delivery", () => {
  it("may have 25 MB", async () => {
    const result = await opened(delivery(new Uint8Array(MAX_BODY_BYTES)));
    expect(result.ok && result.value.body.byteLength).toBe(MAX_BODY_BYTES);
  });

  it("may not have one byte more, declared or not", async () => {
    const tooLarge = { ok: false, fault: { why: "body-too-large", limit: MAX_BODY_BYTES } };
    expect(await opened(delivery(new Uint8Array(MAX_BODY_BYTES + 1)))).toEqual(tooLarge);
    const declared = delivery("{}", { "content-length": String(MAX_BODY_BYTES + 1) });
    expect(await opened(declared)).toEqual(tooLarge);
    expect(declared.bodyUsed).toBe(false);
  });

  it("is pulled no further than the limit when it never ends, whatever length it declares", async () => {
    const piece = 1024 * 1024;
    let pulled = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += piece;
          controller.enqueue(new Uint8Array(piece));
        },
        cancel() {
          cancelled = true;
        },
      },
      { highWaterMark: 0 },
    );
    const request = streamed(endless, { "content-length": "2" });
    expect(await opened(request)).toMatchObject({ ok: false, fault: { why: "body-too-large" } });
    expect(pulled).toBeLessThanOrEqual(MAX_BODY_BYTES + 2 * piece);
    expect(cancelled).toBe(true);
  });

  it("that breaks off is named, not thrown", async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(3));
      },
      pull(controller) {
        controller.error(new Error("connection reset"));
      },
    });
    const request = streamed(broken);
    expect(await opened(request)).toEqual({ ok: false, fault: { why: "body-unreadable" } });
  });
});
