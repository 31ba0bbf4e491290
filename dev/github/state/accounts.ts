/** People, organisations and bots, found by login without regard to case, and the tokens people hold. */
import { randomBytes } from "node:crypto";
import type { Account } from "./model.ts";
import type { Ids } from "./ids.ts";

export class Accounts {
  readonly #byLogin = new Map<string, Account>();
  readonly #byToken = new Map<string, Account>();
  readonly #ids: Ids;
  readonly #now: () => number;

  constructor(ids: Ids, now: () => number) {
    this.#ids = ids;
    this.#now = now;
  }

  /** Finds or makes the account. An existing one keeps its type. */
  ensure(login: string, type: Account["type"]): Account {
    const found = this.find(login);
    if (found !== undefined) return found;
    const account: Account = { id: this.#ids.next("user"), login, type, createdAt: this.#now() };
    this.#byLogin.set(login.toLowerCase(), account);
    return account;
  }

  find(login: string): Account | undefined {
    return this.#byLogin.get(login.toLowerCase());
  }

  /** A classic personal access token with all the scopes of its owner. */
  issueToken(account: Account): string {
    const token = `ghp_${randomBytes(27).toString("base64url").replace(/[-_]/g, "x")}`;
    this.#byToken.set(token, account);
    return token;
  }

  byToken(token: string): Account | undefined {
    return this.#byToken.get(token);
  }

  all(): readonly Account[] {
    return [...this.#byLogin.values()];
  }
}
