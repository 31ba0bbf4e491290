import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainText, withoutRepeats } from "../../../dev/demo/plain-text.ts";
import { checkBranch } from "../../../dev/demo/check-branch.ts";
import { DEMO_BUG, DEMO_QUESTION } from "../../../dev/model/demo-scenario.ts";
import { startModel } from "../../../dev/model/server.ts";
import { guide } from "../../../dev/world/guide.ts";
import { modelProvider } from "../../../dev/world/model-provider.ts";
import { PEOPLE, ROOT, startWorld } from "../../../dev/world/start-world.ts";
import { verdictIn } from "../../../dev/world/verdict.ts";
import { judge } from "../../../dev/why/judge.ts";
import { details, fence } from "../../../src/report/sections.ts";

describe("what the demo prints", () => {
  it("has no tags, and command output cut to its counts", () => {
    const output = ["✔ one", "✖ a long list", "ℹ tests 22", "ℹ suites 0", "ℹ pass 21", "ℹ fail 1"].join("\n");
    const text = `Done.\n\n${details("<code>a &lt; b</code>: passed", fence(output))}\n\n<!-- marker -->`;
    expect(plainText(text)).toBe("Done.\n\na < b: passed\n(tests 22, pass 21, fail 1)");
  });

  it("keeps what is folded and no output", () => {
    expect(plainText(details("Files", "- `a.ts`"))).toBe("Files\n- `a.ts`");
  });

  it("does not say a long paragraph twice", () => {
    expect(withoutRepeats("Asked\n\none\ntwo\n\nshort", "Change\n\none\ntwo\n\nshort")).toBe(
      "Asked\n\n(as above)\n\nshort",
    );
  });
});

describe("the Worker's lines, as npm run dev tells them", () => {
  it.each([
    [
      { level: "info", event: "webhook.ignored", delivery: "d", name: "issues", because: "no-mention" },
      "worker: the issues delivery is ignored because no-mention",
    ],
    [
      {
        level: "info",
        event: "request.ended",
        task: "a.example:1:7",
        state: "refused",
        why: "permission-read",
      },
      "worker: the request on #7 ended: refused because permission-read",
    ],
    [
      { level: "error", event: "webhook.refused", why: "not-configured", setting: "GITHUB_APP_ID" },
      "worker: a delivery is refused because not-configured, GITHUB_APP_ID",
    ],
    [{ level: "error", event: "request.broke", error: "oh" }, "worker: request.broke because oh"],
    [{ level: "info", event: "step", step: "read" }, undefined],
  ])("tell the reason in %j", (line, words) => {
    expect(verdictIn(JSON.stringify(line))).toBe(words);
  });

  it("are nothing when they are no line of the log", () => {
    expect(verdictIn("▲ [WARNING] something")).toBeUndefined();
  });
});

describe("the guide of npm run dev", () => {
  it("has both issues of the demo and a directive, as commands that no proxy can take away", () => {
    const text = guide(
      {
        github: { url: "http://github.example", apiUrl: "http://api.example" },
        worker: { url: "http://worker.example" },
        app: { slug: "patchwright" },
        model: undefined,
      },
      "acme/plainwords",
    );
    expect(text.match(/curl -s --noproxy '\*' /g)).toHaveLength(3);
    for (const { title } of [DEMO_QUESTION, DEMO_BUG]) expect(text).toContain(JSON.stringify(title));
    expect(text).toContain("\\n\\n%% say: Hello");
    expect(text).toContain("costs money");
  });
});

describe("the README", () => {
  it("names everyone in the local world, with what they may do", async () => {
    const text = await readFile(join(ROOT, "README.md"), "utf8");
    for (const [login, permission] of Object.entries(PEOPLE)) {
      expect(text).toMatch(new RegExp(`^\\| ${login} +\\| ${permission} +\\|`, "m"));
    }
  });
});

describe("the choice of the model", () => {
  it("is the scripted one without a key, and with a key of blanks", async () => {
    const { local } = await modelProvider({ env: { ANTHROPIC_API_KEY: "  " } });
    expect(local).toBeDefined();
    await local?.close();
  });

  it("is the real one with a key, after one token was asked for", async () => {
    const real = await startModel({ keys: ["sk-right"] });
    try {
      const said: string[] = [];
      const env = { ANTHROPIC_API_KEY: " sk-right\n", ANTHROPIC_BASE_URL: `${real.url}/` };
      const provider = await modelProvider({ env, notice: (line) => said.push(line) });
      expect(provider).toEqual({ url: real.url, apiKey: "sk-right", local: undefined });
      expect(said).toEqual([expect.stringMatching(/^Using the real model at .* \(it costs money\)\.$/)]);
      expect(real.requests).toHaveLength(1);
      expect(JSON.parse(real.requests[0]?.body ?? "")).toMatchObject({ max_tokens: 1 });
    } finally {
      await real.close();
    }
  });

  it("stops at a key that is refused, with what the provider said", async () => {
    const real = await startModel({ keys: ["sk-right"] });
    try {
      const env = { ANTHROPIC_API_KEY: "sk-wrong", ANTHROPIC_BASE_URL: real.url };
      await expect(modelProvider({ env })).rejects.toThrow(
        /answers 401: .*invalid x-api-key.*unset ANTHROPIC_API_KEY/,
      );
    } finally {
      await real.close();
    }
  });
});

describe("why a payload from the documentation", () => {
  it("needs no installation, which such payloads do not have", () => {
    const verdict = judge(
      { event: "issues", payload: { action: "opened" }, permission: "write" },
      "patchwright",
    );
    expect(verdict).toEqual({ act: false, because: "body-does-not-fit-event", key: "repository" });
  });
});

describe("the check of a branch", () => {
  it("is not led astray by a proxy, and leaves nothing", async () => {
    const before = process.env["http_proxy"];
    const world = await startWorld();
    try {
      process.env["http_proxy"] = "http://127.0.0.1:1";
      const { fullName } = await world.addRepository("proxied", {
        "package.json": JSON.stringify({ scripts: { test: "node --test" } }),
        "a.test.js": "require('node:test')('passes', () => {});\n",
      });
      const { signal } = new AbortController();
      expect(await checkBranch(world, fullName, { branch: "main" }, signal)).toMatchObject({ ok: true });
    } finally {
      if (before === undefined) delete process.env["http_proxy"];
      else process.env["http_proxy"] = before;
      await world.close();
    }
  });
});
