import { describe, expect, it } from "vitest";
import { readSettings, type SettingsEnv } from "../../src/worker/settings.ts";
import { PREVIOUS, SECRET, SETTINGS } from "./configured.ts";

function read(changes: Readonly<Record<string, string | undefined>> = {}) {
  const set = Object.entries({ ...SETTINGS, ...changes }).filter(([, value]) => value !== undefined);
  return readSettings(Object.fromEntries(set) as SettingsEnv);
}

describe("settings", () => {
  it("that are whole are read, with the key as WebCrypto takes it", () => {
    expect(read()).toMatchObject({
      ok: true,
      value: {
        slug: "patchwright",
        host: "github.example",
        app: { appId: "77", privateKey: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/) },
        webhookSecrets: [SECRET, PREVIOUS],
      },
    });
  });

  it("that may be left out have the public servers, and one secret", () => {
    const rest = ["GITHUB_API_URL", "GITHUB_WEB_URL", "ANTHROPIC_BASE_URL", "GITHUB_WEBHOOK_SECRET_PREVIOUS"];
    for (const nothing of [undefined, "", " "]) {
      expect(read(Object.fromEntries(rest.map((name) => [name, nothing])))).toMatchObject({
        ok: true,
        value: {
          host: "github.com",
          app: { apiUrl: "https://api.github.com" },
          webUrl: "https://github.com",
          webhookSecrets: [SECRET],
          answerModel: { baseUrl: "https://api.anthropic.com" },
        },
      });
    }
  });

  it.each([
    ["GITHUB_API_URL", "https://ghes.example/api/v3/", { app: { apiUrl: "https://ghes.example/api/v3" } }],
    [
      "GITHUB_WEB_URL",
      "https://ghes.example:8443//",
      { webUrl: "https://ghes.example:8443", host: "ghes.example:8443" },
    ],
    ["ANSWER_MODEL", "claude-x", { answerModel: { model: "claude-x" } }],
    ["CODING_MODEL", "claude-y", { codingModel: { model: "claude-y" } }],
    ["ANTHROPIC_API_KEY", " key-with-a-line-break\n", { codingModel: { apiKey: "key-with-a-line-break" } }],
    ["GITHUB_WEBHOOK_SECRET", "12345678", { webhookSecrets: ["12345678", PREVIOUS] }],
  ])("%s may be %j", (name, value, expected) => {
    expect(read({ [name]: value })).toMatchObject({ ok: true, value: expected });
  });

  it.each([
    ["GITHUB_APP_ID", undefined],
    ["GITHUB_APP_ID", ""],
    ["GITHUB_APP_ID", "Iv1.abc"],
    ["GITHUB_APP_ID", "-1"],
    ["GITHUB_APP_SLUG", undefined],
    ["GITHUB_APP_SLUG", "Patchwright"],
    ["GITHUB_APP_SLUG", "patchwright[bot]"],
    ["GITHUB_APP_SLUG", "@patchwright"],
    ["GITHUB_APP_SLUG", "patch wright"],
    ["GITHUB_APP_SLUG", "patchwright-"],
    ["GITHUB_PRIVATE_KEY", undefined],
    ["GITHUB_PRIVATE_KEY", "secret-words-of-ours"],
    ["GITHUB_PRIVATE_KEY", SETTINGS.GITHUB_PRIVATE_KEY.slice(0, 400)],
    ["GITHUB_WEBHOOK_SECRET", undefined],
    ["GITHUB_WEBHOOK_SECRET", "1234567"],
    ["ANTHROPIC_API_KEY", undefined],
    ["ANTHROPIC_API_KEY", "   "],
    ["GITHUB_API_URL", "api.github.com"],
    ["GITHUB_API_URL", "ftp://api.github.example"],
    ["GITHUB_WEB_URL", "javascript:alert(1)"],
    ["ANTHROPIC_BASE_URL", "provider.example/v1"],
  ])("whose %s is %j name it and its mend, and none of its value", (name, value) => {
    const settings = read({ [name]: value });
    expect(settings).toMatchObject({
      ok: false,
      fault: { setting: name, mend: expect.stringMatching(/\w.*\.$/s) },
    });
    const said = JSON.stringify(settings);
    if (value !== undefined && value.trim().length > 5) expect(said).not.toContain(value.trim().slice(0, 60));
  });

  it("hold every secret for the filters of what leaves us", () => {
    const settings = read();
    const secrets = settings.ok ? settings.value.secrets : [];
    for (const secret of [SECRET, PREVIOUS, "operators-key"]) expect(secrets).toContain(secret);
    expect(secrets.some((secret) => secret.includes("PRIVATE KEY"))).toBe(true);
  });

  it("are read once per environment", () => {
    const environment: SettingsEnv = { ...SETTINGS };
    expect(readSettings(environment)).toBe(readSettings(environment));
    expect(readSettings({ ...environment })).not.toBe(readSettings(environment));
  });
});
