import { Webhooks } from "@octokit/webhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Octokit } from "octokit";
import type { LocalGitHub } from "../../../dev/github/start.ts";
import { SECRET, app, receive, startWithReceiver } from "./local-github.ts";
import type { Receiver } from "./local-github.ts";

let started: Awaited<ReturnType<typeof startWithReceiver>>;
let github: LocalGitHub;
let receiver: Receiver;
let ada: Octokit;
const at = { owner: "acme", repo: "widgets" };

beforeAll(async () => {
  started = await startWithReceiver();
  ({ github, receiver, ada } = started);
});

afterAll(() => started.stop());

/** Acts, and waits for what the server sends of it. */
async function openIssue(title: string): Promise<void> {
  await ada.rest.issues.create({ ...at, title });
  await github.idle();
}

describe("a delivery", () => {
  it("is signed over its exact bytes and carries GitHub's headers", async () => {
    await openIssue("Ünïcode 🎉");
    const last = receiver.received.at(-1);
    const signature = last?.headers["x-hub-signature-256"] ?? "";
    const genuine = (secret: string) => new Webhooks({ secret }).verify(last?.body ?? "", signature);
    expect(await genuine(SECRET)).toBe(true);
    expect(await genuine("another secret")).toBe(false);
    expect(last?.headers).toMatchObject({
      "x-github-event": "issues",
      "x-github-hook-installation-target-type": "integration",
      "x-github-hook-installation-target-id": "4711",
      "content-type": "application/json",
    });
    expect(last?.headers["user-agent"]).toMatch(/^GitHub-Hookshot\//);
    expect(last?.headers["x-github-delivery"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("that fails is recorded, not repeated, and can be sent again under the same GUID", async () => {
    receiver.status = 503;
    await openIssue("fails");
    receiver.status = 202;
    const failed = github.deliveries().at(-1);
    expect([failed?.statusCode, failed?.attempts.length]).toEqual([503, 1]);
    const self = app(github).octokit;
    const { data: list } = await self.rest.apps.listWebhookDeliveries({ per_page: 1 });
    expect(list[0]).toMatchObject({ guid: failed?.guid, status_code: 503, redelivery: false });
    await self.rest.apps.redeliverWebhookDelivery({ delivery_id: list[0]?.id ?? 0 });
    await github.idle();
    const [first, second] = receiver.received.slice(-2);
    expect(second?.headers["x-github-delivery"]).toBe(first?.headers["x-github-delivery"]);
    expect(second?.body).toBe(first?.body);
    const { data: after } = await self.rest.apps.listWebhookDeliveries({ per_page: 2 });
    expect(after.map((one) => [one.guid, one.redelivery, one.status])).toEqual([
      [failed?.guid, true, "OK"],
      [failed?.guid, false, "Invalid HTTP Response: 503"],
    ]);
    expect(after[0]?.id).not.toBe(after[1]?.id);
  });

  it("nobody listens for fails without a status code of an answer", async () => {
    const gone = await receive();
    await gone.stop();
    github.setWebhookUrl(gone.url);
    await openIssue("unreachable");
    github.setWebhookUrl(receiver.url);
    expect(github.deliveries().at(-1)).toMatchObject({ statusCode: 0 });
    const { data } = await app(github).octokit.rest.apps.listWebhookDeliveries({ per_page: 1 });
    expect(data[0]).toMatchObject({ status: "failed to connect to host", status_code: 0 });
  });

  it("list is walked by cursor", async () => {
    const self = app(github).octokit;
    const seen: string[] = [];
    const pages = self.paginate.iterator(self.rest.apps.listWebhookDeliveries, { per_page: 2 });
    for await (const page of pages) seen.push(...page.data.map((one) => String(one.id)));
    const attempts = github.deliveries().flatMap((one) => one.attempts.map((attempt) => String(attempt.id)));
    expect(seen).toEqual(attempts.toSorted().toReversed());
  });
});
