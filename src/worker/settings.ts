/** What the operator sets, read once and checked: a wrong setting is named with its mend, before anything is started. */
import { z } from "zod";
import { keyMend, readPrivateKey } from "../github/private-key.ts";
import type { AppCredentials } from "../github/tokens.ts";
import { fail, pass, type Result } from "../lib/result.ts";
import type { ModelSettings } from "../model/anthropic.ts";

/** The variables and secrets, as they arrive. wrangler.jsonc and docs/architecture.md say what each is. */
export type SettingsEnv = {
  readonly GITHUB_APP_ID?: string;
  readonly GITHUB_APP_SLUG?: string;
  readonly GITHUB_PRIVATE_KEY?: string;
  readonly GITHUB_WEBHOOK_SECRET?: string;
  readonly GITHUB_WEBHOOK_SECRET_PREVIOUS?: string;
  readonly GITHUB_API_URL?: string;
  readonly GITHUB_WEB_URL?: string;
  readonly ANTHROPIC_API_KEY?: string;
  readonly ANTHROPIC_BASE_URL?: string;
  readonly ANSWER_MODEL?: string;
  readonly CODING_MODEL?: string;
  readonly RETRY_SECONDS?: string;
  readonly READ_LAG_SECONDS?: string;
  readonly WATCH_SECONDS?: string;
};

export type Settings = {
  readonly slug: string;
  /** github.com or the GHES host: part of every Task's name. */
  readonly host: string;
  readonly app: AppCredentials;
  readonly webUrl: string;
  readonly webhookSecrets: readonly string[];
  readonly answerModel: ModelSettings;
  readonly codingModel: ModelSettings;
  readonly patience: Patience;
  /** Every secret above, for the filters of text that leaves us. */
  readonly secrets: readonly string[];
};

export type Patience = {
  /** The first wait before a call that failed is tried again; each further one is twice as long. */
  readonly retryMs: number;
  /** How long GitHub's lists may not show a write yet. */
  readonly readLagMs: number;
  /** How often an object with a request at work is woken: as long a crash can go unnoticed. */
  readonly watchSeconds: number;
};

/** `setting` is the variable's name, `mend` what to do. Never any of the value. */
export type SettingsFault = { readonly setting: string; readonly mend: string };

/** For answers and for changes, unless the operator names another. */
export const DEFAULT_MODEL = "claude-sonnet-5-5";

const Url = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ""));
const Secret = z.string().trim().min(1);
const NUMBER = "set it to a number of seconds";
const Shape = z.object({
  GITHUB_APP_ID: z.string().regex(/^\d+$/, "set it to the App's numeric id"),
  GITHUB_APP_SLUG: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, "set it to the App's name in its URL"),
  GITHUB_PRIVATE_KEY: z.string().default(""),
  GITHUB_WEBHOOK_SECRET: Secret.min(8, "use a random secret of 8 characters or more"),
  GITHUB_WEBHOOK_SECRET_PREVIOUS: Secret.optional(),
  GITHUB_API_URL: Url.default("https://api.github.com"),
  GITHUB_WEB_URL: Url.default("https://github.com"),
  ANTHROPIC_API_KEY: Secret,
  ANTHROPIC_BASE_URL: Url.default("https://api.anthropic.com"),
  ANSWER_MODEL: z.string().min(1).default(DEFAULT_MODEL),
  CODING_MODEL: z.string().min(1).default(DEFAULT_MODEL),
  RETRY_SECONDS: z.coerce.number(NUMBER).positive().max(60).default(2),
  READ_LAG_SECONDS: z.coerce.number(NUMBER).nonnegative().max(120).default(15),
  WATCH_SECONDS: z.coerce.number(NUMBER).int().min(1).max(300).default(20),
});

/** The name of every setting. */
export const SETTINGS = Shape.keyof().options;

const known = new WeakMap<object, Result<Settings, SettingsFault>>();

/** Everything that is wrong, one fault for each setting: what an operator mends before a deploy. */
export function settingsFaults(env: SettingsEnv): readonly SettingsFault[] {
  const parsed = Shape.safeParse(withoutEmpty(env));
  const faults = parsed.success ? [] : parsed.error.issues.map(faultOf);
  const key = readPrivateKey(env.GITHUB_PRIVATE_KEY ?? "");
  if (!key.ok) faults.push({ setting: "GITHUB_PRIVATE_KEY", mend: keyMend(key.fault) });
  return faults.filter(({ setting }, at) => faults.findIndex((other) => other.setting === setting) === at);
}

/** Read the settings. Kept per `env` object: reading a private key costs milliseconds. */
export function readSettings(env: SettingsEnv): Result<Settings, SettingsFault> {
  const kept = known.get(env);
  if (kept !== undefined) return kept;
  const read = parseSettings(env);
  known.set(env, read);
  return read;
}

function parseSettings(env: SettingsEnv): Result<Settings, SettingsFault> {
  const parsed = Shape.safeParse(withoutEmpty(env));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail(issue === undefined ? { setting: "settings", mend: "they cannot be used." } : faultOf(issue));
  }
  const values = parsed.data;
  const key = readPrivateKey(values.GITHUB_PRIVATE_KEY);
  if (!key.ok) return fail({ setting: "GITHUB_PRIVATE_KEY", mend: keyMend(key.fault) });
  const webhookSecrets = [values.GITHUB_WEBHOOK_SECRET, values.GITHUB_WEBHOOK_SECRET_PREVIOUS].filter(
    (secret) => secret !== undefined,
  );
  const provider = { apiKey: values.ANTHROPIC_API_KEY, baseUrl: values.ANTHROPIC_BASE_URL };
  return pass({
    slug: values.GITHUB_APP_SLUG,
    host: new URL(values.GITHUB_WEB_URL).host,
    app: { appId: values.GITHUB_APP_ID, privateKey: key.value, apiUrl: values.GITHUB_API_URL },
    webUrl: values.GITHUB_WEB_URL,
    webhookSecrets,
    answerModel: { ...provider, model: values.ANSWER_MODEL },
    codingModel: { ...provider, model: values.CODING_MODEL },
    patience: {
      retryMs: values.RETRY_SECONDS * 1_000,
      readLagMs: values.READ_LAG_SECONDS * 1_000,
      watchSeconds: values.WATCH_SECONDS,
    },
    secrets: [...webhookSecrets, values.ANTHROPIC_API_KEY, key.value],
  });
}

function faultOf(issue: z.core.$ZodIssue): SettingsFault {
  // A text that is no number is of the wrong type as well, but it is there.
  const missing = issue.code === "invalid_type" && issue.expected === "string";
  return {
    setting: String(issue.path[0] ?? "settings"),
    mend: missing ? "it is missing; set it with wrangler." : `${issue.message}.`,
  };
}

/** A variable set to nothing is not set. */
function withoutEmpty(env: SettingsEnv): Partial<Record<string, string>> {
  const entries = Object.entries(env).filter(([, value]) => typeof value === "string" && value.trim() !== "");
  return Object.fromEntries(entries);
}
