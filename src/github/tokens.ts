/**
 * The only maker and keeper of installation tokens. Each is for one repository and the least permission its step
 * needs. A token never leaves github/ except as a header on a request that Egress or octokit sends to GitHub.
 */
import { createAppAuth } from "@octokit/auth-app";
import { Octokit } from "octokit";
import { GitHubError } from "../domain/github-fault.ts";
import { keepNewest } from "../lib/keep-newest.ts";
import { faultOf } from "./fault.ts";

/** What a step may do. `read` answers and clones, `report` comments, `publish` writes branches and pull requests. */
export type Purpose = "read" | "report" | "publish";

/** GitHub's permission names. `metadata` comes with every token. */
const PERMISSIONS = {
  read: { contents: "read", issues: "read", pull_requests: "read", metadata: "read" },
  report: { issues: "write", pull_requests: "write", metadata: "read" },
  publish: { contents: "write", pull_requests: "write", issues: "read", metadata: "read" },
} as const satisfies Record<Purpose, Record<string, "read" | "write">>;

export type TokenScope = {
  readonly installation: number;
  readonly repositoryId: number;
  readonly purpose: Purpose;
};

/** What the App signs with. `privateKey` is PKCS#8 PEM. */
export type AppCredentials = {
  readonly appId: string;
  readonly privateKey: string;
  readonly apiUrl: string;
};

export type Token = { readonly token: string; readonly mintedAt: number; readonly expiresAt: number };

/** A token is not used in its last minutes: a request may wait, and clocks differ. */
const MARGIN_MS = 5 * 60_000;

/** Tokens by scope, for as long as the isolate lives. Values, not promises: a promise of one object's request must not be awaited by another's. */
const kept = new Map<string, Token>();

/** Entries beyond this are dropped, oldest first. Guards memory of an isolate that serves many installations. */
const MOST_KEPT = 1_000;

/**
 * A token for one scope, from the cache or minted.
 * GitHub REST: POST /app/installations/{installation_id}/access_tokens; the token expires after one hour.
 * @throws GitHubError
 */
export async function tokenFor(app: AppCredentials, scope: TokenScope, now: number): Promise<Token> {
  const key = `${app.apiUrl}|${app.appId}|${scope.installation}|${scope.repositoryId}|${scope.purpose}`;
  const known = kept.get(key);
  if (known !== undefined && known.expiresAt - MARGIN_MS > now) return known;
  const minted = await mint(app, scope, now);
  keepNewest(kept, key, minted, MOST_KEPT);
  return minted;
}

/** Forget a token that GitHub refused, so that the next step mints a new one. */
export function forgetToken(token: Token): void {
  for (const [key, known] of kept) if (known.token === token.token) kept.delete(key);
}

async function mint(app: AppCredentials, scope: TokenScope, now: number): Promise<Token> {
  const octokit = appOctokit(app);
  try {
    const { data } = await octokit.rest.apps.createInstallationAccessToken({
      installation_id: scope.installation,
      repository_ids: [scope.repositoryId],
      permissions: PERMISSIONS[scope.purpose],
    });
    return { token: data.token, mintedAt: now, expiresAt: Date.parse(data.expires_at) };
  } catch (thrown) {
    throw new GitHubError(faultOf(thrown, now));
  }
}

/** Octokit as the App itself (a JWT), for the few calls that an installation cannot make. */
export function appOctokit(app: AppCredentials): Octokit {
  return new Octokit({
    authStrategy: createAppAuth,
    auth: { appId: app.appId, privateKey: app.privateKey },
    ...clientOptions(app.apiUrl),
  });
}

/** Options every client of ours shares. */
export function clientOptions(apiUrl: string) {
  return {
    baseUrl: apiUrl,
    userAgent: "patchwright",
    // Pacing belongs to one object per installation, not to each client of each isolate: octokit's throttling would
    // hold back the second comment of a quiet repository by seconds and still not know what the other isolates do.
    throttle: { enabled: false },
    // The steps journal and retry on a durable delay; a retry in memory would hide what they need to record.
    retry: { enabled: false },
    // Octokit's own warnings name URLs and scopes; ours go through the log that redacts.
    log: SILENT,
  };
}

const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };

function nothing(): void {}
