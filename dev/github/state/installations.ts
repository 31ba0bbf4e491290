/** Installations of the App and the tokens minted for them. */
import { createHmac, randomBytes } from "node:crypto";
import type { Account, Grants, Installation, InstallationToken, Repository } from "./model.ts";
import type { Ids } from "./ids.ts";

/** GitHub: an installation access token expires one hour after it was made. */
const TOKEN_LIFE_MS = 60 * 60 * 1000;

export class Installations {
  readonly #byId = new Map<number, Installation>();
  readonly #byToken = new Map<string, InstallationToken>();
  readonly #ids: Ids;
  readonly #now: () => number;
  readonly #appId: number;
  readonly #key = randomBytes(32);

  constructor(ids: Ids, now: () => number, appId: number) {
    this.#ids = ids;
    this.#now = now;
    this.#appId = appId;
  }

  create(account: Account): Installation {
    const at = this.#now();
    const installation: Installation = {
      id: this.#ids.next("installation"),
      account,
      repositoryIds: new Set(),
      createdAt: at,
      updatedAt: at,
      suspendedAt: null,
    };
    this.#byId.set(installation.id, installation);
    return installation;
  }

  remove(installation: Installation): void {
    this.#byId.delete(installation.id);
    for (const [token, held] of this.#byToken) {
      if (held.installation === installation) this.#byToken.delete(token);
    }
  }

  byId(id: number): Installation | undefined {
    return this.#byId.get(id);
  }

  ofAccount(account: Account): Installation | undefined {
    return this.all().find((one) => one.account.id === account.id);
  }

  of(repo: Repository): Installation | undefined {
    return this.all().find((one) => one.repositoryIds.has(repo.id));
  }

  all(): readonly Installation[] {
    return [...this.#byId.values()];
  }

  /** `form` "long" is the stateless `ghs_APPID_JWT` GitHub rolls out since April 2026, "classic" the 40 characters. */
  issueToken(
    installation: Installation,
    grants: Grants,
    repositoryIds: ReadonlySet<number> | undefined,
    form: "long" | "classic",
  ): InstallationToken {
    const expiresAt = this.#now() + TOKEN_LIFE_MS;
    const token: InstallationToken = {
      token: form === "long" ? this.#longToken(installation, expiresAt) : classicToken(),
      installation,
      grants,
      repositoryIds,
      expiresAt,
    };
    this.#byToken.set(token.token, token);
    return token;
  }

  /** undefined for unknown, revoked and expired tokens alike, as GitHub answers them alike. */
  byToken(text: string): InstallationToken | undefined {
    const token = this.#byToken.get(text);
    return token !== undefined && token.expiresAt > this.#now() ? token : undefined;
  }

  revoke(token: InstallationToken): void {
    this.#byToken.delete(token.token);
  }

  /** About 520 characters with dots, dashes and underscores, so that nothing downstream assumes 40. */
  #longToken(installation: Installation, expiresAt: number): string {
    const claims = {
      iss: "local-github",
      iat: Math.floor(this.#now() / 1000),
      exp: Math.floor(expiresAt / 1000),
      sub: `installation:${installation.id}`,
      jti: randomBytes(170).toString("base64url"),
    };
    const signed = `${jwtPart({ alg: "HS256", typ: "JWT" })}.${jwtPart(claims)}`;
    const signature = createHmac("sha256", this.#key).update(signed).digest("base64url");
    return `ghs_${this.#appId}_${signed}.${signature}`;
  }
}

function jwtPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function classicToken(): string {
  return `ghs_${randomBytes(40)
    .toString("base64")
    .replace(/[^A-Za-z0-9]/g, "")
    .slice(0, 36)
    .padEnd(36, "0")}`;
}
