/** An environment whose settings are whole, with a key made for this run. */
import { generateKeyPairSync } from "node:crypto";
import { env } from "cloudflare:test";
import type { Env } from "../../src/worker/env.ts";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs1", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

export const SECRET = "a webhook secret";
export const PREVIOUS = "the webhook secret before it";

export const SETTINGS = {
  GITHUB_APP_ID: "77",
  GITHUB_APP_SLUG: "patchwright",
  GITHUB_PRIVATE_KEY: privateKey,
  GITHUB_WEBHOOK_SECRET: SECRET,
  GITHUB_WEBHOOK_SECRET_PREVIOUS: PREVIOUS,
  GITHUB_API_URL: "http://127.0.0.1:1",
  GITHUB_WEB_URL: "https://github.example",
  ANTHROPIC_API_KEY: "operators-key",
  ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
};

/** A fresh object each time, since settings are kept per object. */
export function configured(changes: Readonly<Record<string, string | undefined>> = {}): Env {
  const set = Object.entries({ ...SETTINGS, ...changes }).filter(([, value]) => value !== undefined);
  return { LOADER: env.LOADER, TASK: env.TASK, VERIFIER: env.VERIFIER, ...Object.fromEntries(set) };
}
