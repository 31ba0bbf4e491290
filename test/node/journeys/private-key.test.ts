import { describe, expect, it } from "vitest";
import { finalComment, personIn } from "../../../dev/world/person.ts";
import { startWorld, type World } from "../../../dev/world/start-world.ts";

/** A world whose App key is given in another form than GitHub's file. */
async function withKey(
  form: (pem: string) => string,
  play: (world: World, fullName: string) => Promise<void>,
) {
  const world = await startWorld({ keyForm: form });
  try {
    const { fullName } = await world.addRepository("keys", { "README.md": "# Keys\n" });
    await play(world, fullName);
  } finally {
    await world.close();
  }
}

const question = { title: "Hello", body: "@patchwright hello\n%% say: Hello." };

describe("the App's private key", () => {
  it("with its line breaks written out, as secret stores keep it, works", async () => {
    await withKey(
      (pem) => pem.replaceAll("\n", "\\n"),
      async (world, fullName) => {
        const ada = personIn(world, "ada");
        const issue = await ada.openIssue(fullName, question);
        expect(await finalComment(world, ada, fullName, issue)).toContain("Hello.");
      },
    );
  });

  it("broken, turns deliveries away with a named refusal that says how to mend it, so that they can come again", async () => {
    await withKey(
      (pem) => pem.slice(0, pem.length / 2),
      async (world, fullName) => {
        await personIn(world, "ada").openIssue(fullName, question);
        await world.github.idle();
        const delivery = world.github.deliveries().findLast(({ event }) => event === "issues");
        expect(delivery?.statusCode).toBe(503);
        expect(delivery?.response).toContain("GITHUB_PRIVATE_KEY");
        expect(delivery?.response).toContain("generate a new private key");
        const health = await fetch(`${world.worker.url}/health`);
        expect(health.status).toBe(503);
        expect(await health.json()).toMatchObject({ ok: false, setting: "GITHUB_PRIVATE_KEY" });
        // Mended, and the failed delivery sent again: nothing was lost.
        await world.worker.restart({ GITHUB_PRIVATE_KEY: world.secrets["GITHUB_PRIVATE_KEY"] ?? "" });
        await world.github.redeliver(delivery?.guid ?? "");
        const ada = personIn(world, "ada");
        expect(await finalComment(world, ada, fullName, 1)).toContain("Hello.");
      },
    );
  });
});
