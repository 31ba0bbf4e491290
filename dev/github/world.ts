/** All there is in one local GitHub. Made once by start.ts and handed to every act, route and shape. */
import { createHmac, randomBytes } from "node:crypto";
import { Audit } from "./audit.ts";
import { Faults } from "./faults.ts";
import type { AppOptions, LocalGitHubOptions } from "./options.ts";
import { Accounts } from "./state/accounts.ts";
import { Ids } from "./state/ids.ts";
import { Installations } from "./state/installations.ts";
import type { Account } from "./state/model.ts";
import { Repositories } from "./state/repositories.ts";
import { Hook } from "./webhooks/hook.ts";

export type World = {
  readonly root: string;
  readonly now: () => number;
  readonly log: (line: string) => void;
  readonly app: AppOptions & {
    readonly owner: Account;
    readonly bot: Account;
    readonly createdAt: number;
    /** Any of them verifies the App's JWTs; the manifest flow adds one. */
    readonly publicKeys: string[];
    /** Codes of the manifest flow that were exchanged: each works once. */
    readonly usedCodes: Set<string>;
  };
  readonly ids: Ids;
  readonly accounts: Accounts;
  readonly repositories: Repositories;
  readonly installations: Installations;
  readonly hook: Hook;
  readonly audit: Audit;
  readonly faults: Faults;
  /** Signs download links and commits. Never leaves the process. */
  readonly sign: (text: string) => string;
  /** http://127.0.0.1:PORT, set once the server listens. */
  url: string;
};

export function createWorld(options: LocalGitHubOptions): World {
  const now = options.now ?? Date.now;
  const log = options.log ?? (() => undefined);
  const ids = new Ids();
  const accounts = new Accounts(ids, now);
  const key = randomBytes(32);
  return {
    root: options.root,
    now,
    log,
    app: {
      ...options.app,
      owner: accounts.ensure(`${options.app.slug}-maintainers`, "Organization"),
      bot: accounts.ensure(`${options.app.slug}[bot]`, "Bot"),
      createdAt: now(),
      publicKeys: [options.app.publicKeyPem],
      usedCodes: new Set(),
    },
    ids,
    accounts,
    repositories: new Repositories(),
    installations: new Installations(ids, now, options.app.id),
    hook: new Hook({ ids, now, log, app: options.app }),
    audit: new Audit(),
    faults: new Faults(),
    sign: (text) => createHmac("sha256", key).update(text).digest("hex"),
    url: "",
  };
}

/** https-style addresses of this server. */
export function apiUrl(world: World, path: string): string {
  return `${world.url}/api/v3${path}`;
}
