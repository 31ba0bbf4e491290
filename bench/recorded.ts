/**
 * Real deliveries, kept for later: GitHub makes, signs and sends them, and this takes them in the Worker's place. So
 * what is measured afterwards are the exact bytes and headers that GitHub sends, at a pace of our own.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { personIn } from "../dev/world/person.ts";
import type { World, WorldRepository } from "../dev/world/start-world.ts";

export type Recorded = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The issue whose comment it is about. */
  readonly issue: number;
};

export type Comments = { readonly mentions: readonly Recorded[]; readonly plain: readonly Recorded[] };

export type Recorder = {
  readonly url: string;
  readonly deliveries: readonly Recorded[];
  close(): Promise<void>;
};

export async function startRecorder(): Promise<Recorder> {
  const deliveries: Recorded[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      // Without an encoding, a request yields Buffers.
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const delivery = readDelivery(request, Buffer.concat(chunks).toString("utf8"));
      if (delivery !== undefined) deliveries.push(delivery);
      response.writeHead(202).end();
    })();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    deliveries,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Tells one kind of comment from the other. */
const QUESTION = "are you there?";

/** Comments by ada: `count` that mention the App, each on an issue of its own, and as many that mention nobody. */
export async function recordComments(
  world: World,
  repository: WorldRepository,
  recorder: Recorder,
  count: number,
): Promise<Comments> {
  const ada = personIn(world, "ada");
  const mention = `@${world.app.slug} ${QUESTION}\n\n%% say: Yes.`;
  for (let n = 0; n < count; n++) {
    const issue = await ada.openIssue(repository.fullName, {
      title: "Anyone?",
      body: "A thread to talk in.",
    });
    await ada.comment(repository.fullName, issue, "I see the same here.");
    await ada.comment(repository.fullName, issue, mention);
  }
  await world.github.idle();
  const mentions = recorder.deliveries.filter(asks);
  const plain = recorder.deliveries.filter((delivery) => !asks(delivery));
  if (mentions.length !== count || plain.length !== count)
    throw new Error(`${mentions.length} and ${plain.length} deliveries were recorded, not ${count} of each`);
  return { mentions, plain };
}

function asks({ body }: Recorded): boolean {
  return body.includes(QUESTION);
}

const Comment = z.object({
  action: z.literal("created"),
  issue: z.object({ number: z.number() }),
  comment: z.object({ id: z.number() }),
});

/** Undefined for anything but a new comment. */
function readDelivery(request: IncomingMessage, body: string): Recorded | undefined {
  if (request.headers["x-github-event"] !== "issue_comment") return undefined;
  const comment = Comment.safeParse(JSON.parse(body)).data;
  if (comment === undefined) return undefined;
  // What GitHub said, not what the connection needed.
  const said = Object.entries(request.headers).filter(([name]) =>
    /^(?:x-|content-type|user-agent)/.test(name),
  );
  return {
    headers: Object.fromEntries(said.map(([name, value]) => [name, String(value)])),
    body,
    issue: comment.issue.number,
  };
}
