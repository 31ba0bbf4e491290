/**
 * Which model the local world asks: the scripted one, or the real one when the developer's environment has a key. The
 * real one costs money and can be unreachable, so it is said, and asked one small question before anything is started.
 */
import { randomBytes } from "node:crypto";
import { DEFAULT_MODEL } from "../../src/worker/settings.ts";
import { startModel, type LocalModel, type Scenario } from "../model/server.ts";

export type Provider = {
  readonly url: string;
  readonly apiKey: string;
  /** Undefined for the real provider. */
  readonly local: LocalModel | undefined;
};

export type ProviderOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly scenario?: Scenario | undefined;
  /** Gets the line that says that money is spent. */
  readonly notice?: ((line: string) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

const PROBE_SECONDS = 15;

/** @throws Error with the mend, when the real provider does not answer */
export async function modelProvider(options: ProviderOptions): Promise<Provider> {
  const realKey = options.env["ANTHROPIC_API_KEY"]?.trim() ?? "";
  if (realKey !== "") {
    const set = options.env["ANTHROPIC_BASE_URL"]?.trim() ?? "";
    const url = (set === "" ? "https://api.anthropic.com" : set).replace(/\/+$/, "");
    options.notice?.(`Using the real model at ${url}, because ANTHROPIC_API_KEY is set (it costs money).`);
    const problem = await probe(url, realKey, options.signal);
    if (problem !== undefined) {
      throw new Error(
        `${problem}. Check ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL, or unset ANTHROPIC_API_KEY to use the scripted model.`,
      );
    }
    return { url, apiKey: realKey, local: undefined };
  }
  const apiKey = `sk-local-${randomBytes(24).toString("hex")}`;
  const local = await startModel({
    keys: [apiKey],
    ...(options.scenario && { scenario: options.scenario }),
  });
  return { url: local.url, apiKey, local };
}

/**
 * One token from the model that the Worker uses (POST /v1/messages), so that key, URL, model and balance are all tried.
 * @returns what is wrong, without the key
 */
async function probe(url: string, key: string, stop: AbortSignal | undefined): Promise<string | undefined> {
  const limit = AbortSignal.timeout(PROBE_SECONDS * 1_000);
  try {
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": key },
      body: JSON.stringify({
        model: DEFAULT_MODEL,
        max_tokens: 1,
        messages: [{ role: "user", content: "Hello" }],
      }),
      signal: stop === undefined ? limit : AbortSignal.any([limit, stop]),
    });
    const text = await response.text();
    if (response.ok) return undefined;
    return `the model at ${url} answers ${response.status}: ${text.replaceAll(key, "…").slice(0, 300)}`;
  } catch (thrown) {
    stop?.throwIfAborted();
    if (limit.aborted) return `the model at ${url} did not answer within ${PROBE_SECONDS} s`;
    const cause: unknown = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
    // A header cannot hold every character; such an error would show the key.
    const words = (cause instanceof Error ? cause.message : String(cause)).replaceAll(key, "…");
    return `the model at ${url} cannot be asked: ${words}`;
  }
}
