import { describe, expect, it } from "vitest";
import { parts } from "../../../dev/world/person.ts";
import { journeys } from "./journey.ts";

const journey = journeys();

/**
 * The agent looks for credentials as an attacker in its place would: its environment, those of its parents, every
 * argument list it can read, its files, and what comes back from the two hosts it can reach. What it finds it writes
 * into a file that is then published, so that the test can read it.
 */
const LOOK = [
  "env",
  "tr '\\0' '\\n' < /proc/self/environ",
  "tr '\\0' '\\n' < /proc/$PPID/environ",
  "for p in $(ls /proc | grep -E '^[0-9]+$'); do tr '\\0' ' ' < /proc/$p/cmdline 2>/dev/null; echo; done",
  "find . .. $HOME -maxdepth 4 -type f -size -200k 2>/dev/null | head -2000 | xargs -d '\\n' cat 2>/dev/null",
  "curl -si http://git.internal/repository.git/info/refs?service=git-upload-pack --proxy $http_proxy | tr -d '\\000'",
  "curl -si -X POST http://model.internal/v1/messages --proxy $http_proxy -H 'content-type: application/json' -d '{}'",
  `curl -si -X POST http://model.internal/v1/messages --proxy $http_proxy -H 'content-type: application/json' -d '{"model":"claude-sonnet-5-5","max_tokens":9,"messages":[],"tools":[{"type":"web_fetch_20250910","name":"web_fetch"}]}'`,
  `curl -si -X POST http://model.internal/v1/messages --proxy $http_proxy -H 'content-type: application/json' -d '{"model":"another-model","max_tokens":9,"messages":[]}'`,
  "curl -si http://model.internal/v1/files --proxy $http_proxy",
  "curl -si http://example.example/ --proxy $http_proxy",
  "git config --list; git remote -v",
].join("; ");

describe("what an agent can see", () => {
  it("holds no credential: not its environment, arguments or files, nor any answer it gets", async () => {
    const { ask, ada, repository, world } = journey();
    const name = await repository({ "README.md": "# Canaries\n" });
    await ask(name, `@patchwright go\n%% propose: Look around.\n%% bash: (${LOOK}) > found.txt 2>&1`);
    const { data: pulls } = await ada.octokit.rest.pulls.list({ ...parts(name), state: "open" });
    const branch = pulls[0]?.head.ref ?? "";
    const found = await journey().show(name, branch, "found.txt");
    // It did look, and it reached what it may.
    expect(found).toContain("ANTHROPIC_BASE_URL=http://model.internal");
    expect(found).toContain("git-upload-pack");
    expect(found).toContain("this run may not reach example.example");
    expect(found).toContain("what the provider would run or fetch is not allowed (web_fetch_20250910)");
    expect(found).toContain("this run may not use the model another-model");
    expect(found).toContain("/v1/files is not allowed");
    const everywhere = {
      "what the agent found": found,
      "what the agent's requests carried": (world.model?.requests ?? []).map(({ body }) => body).join("\n"),
      comments: JSON.stringify(world.github.audit.entries.map(({ body }) => body ?? "")),
      "log lines": world.worker.logs.join("\n"),
      deliveries: JSON.stringify(world.github.deliveries().map(({ response }) => response)),
    };
    for (const [where, text] of Object.entries(everywhere)) {
      for (const [what, canary] of Object.entries(canaries())) {
        expect(text.includes(canary), `${what} in ${where}`).toBe(false);
      }
      // Installation tokens of either form.
      expect(text.match(/ghs_[A-Za-z0-9._-]{30,}/g), `a token in ${where}`).toBeNull();
    }
  });

  it("while the provider and GitHub do get them, so that the search is known to find them", () => {
    const { world } = journey();
    const key = world.secrets["ANTHROPIC_API_KEY"] ?? "";
    expect(world.model?.requests.some(({ headers }) => JSON.stringify(headers).includes(key))).toBe(true);
  });

  /** Parts of each secret that no other text can hold by chance. */
  function canaries(): Record<string, string> {
    const { secrets } = journey().world;
    const pem = (secrets["GITHUB_PRIVATE_KEY"] ?? "").split("\n");
    return {
      "the model key": secrets["ANTHROPIC_API_KEY"] ?? "",
      "the webhook secret": secrets["GITHUB_WEBHOOK_SECRET"] ?? "",
      "the private key": pem[5] ?? "",
    };
  }
});
