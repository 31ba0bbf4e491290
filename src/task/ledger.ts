/**
 * Every write to GitHub, recorded before it is sent. GitHub has no idempotency keys: after a crash, or an answer that
 * was lost, only looking tells whether a write was applied. So a row is `sent` before the request leaves, then `confirmed`
 * or `refused`; one that is found `sent` is probed, then adopted or sent again.
 */
import { GitHubError } from "../domain/github-fault.ts";

export type Effect<T> = {
  /** Unique within the Task and the same on every replay. */
  readonly key: string;
  readonly kind: "reaction" | "comment" | "edit" | "commit" | "branch" | "pull-request";
  readonly send: () => Promise<T>;
  /** Looks for what an earlier send may have done. Left out where sending twice does the same as once. */
  readonly probe?: () => Promise<T | undefined>;
};

type Row = { status: string; sent_at: number | null; remote: string | null };

export class Ledger {
  readonly #sql: SqlStorage;
  readonly #lagMs: number;
  readonly #wait: (ms: number) => Promise<void>;
  readonly #now: () => number;

  /**
   * @param lagMs how long after a send a list may still not show it. GitHub's reads lag behind its writes by seconds;
   *   concluding "absent" too early is how bots double a comment.
   */
  constructor(
    sql: SqlStorage,
    lagMs: number,
    wait: (ms: number) => Promise<void> = (ms) => new Promise((done) => setTimeout(done, ms)),
    now: () => number = Date.now,
  ) {
    this.#sql = sql;
    this.#lagMs = lagMs;
    this.#wait = wait;
    this.#now = now;
  }

  /** Do it once, whatever happens in between. Throws what `send` throws; the row then says whether it may be there. */
  async perform<T>(effect: Effect<T>): Promise<T> {
    const row = this.#row(effect.key);
    if (row?.status === "confirmed") return this.#remote<T>(row);
    if (row?.status === "sent" && effect.probe !== undefined) {
      const age = this.#now() - (row.sent_at ?? 0);
      if (age < this.#lagMs) await this.#wait(this.#lagMs - age);
      const found = await effect.probe();
      if (found !== undefined) return this.#confirm(effect.key, found);
    }
    this.#markSent(effect.key, effect.kind);
    try {
      return this.#confirm(effect.key, await effect.send());
    } catch (thrown) {
      // An answer that says no applied nothing, so the next try need not look first. No answer may have applied it.
      if (thrown instanceof GitHubError && thrown.fault.why !== "unavailable") this.#refuse(effect.key);
      throw thrown;
    }
  }

  #row(key: string): Row | undefined {
    return this.#sql
      .exec<Row>("SELECT status, sent_at, remote FROM pw_effects WHERE key = ?", key)
      .toArray()[0];
  }

  #markSent(key: string, kind: string): void {
    // Durable before `send` reaches the network: the output gate holds requests back until writes are stored.
    this.#sql.exec(
      `INSERT INTO pw_effects (key, kind, status, attempts, sent_at) VALUES (?, ?, 'sent', 1, ?)
       ON CONFLICT (key) DO UPDATE SET status = 'sent', attempts = attempts + 1, sent_at = excluded.sent_at`,
      key,
      kind,
      this.#now(),
    );
  }

  #confirm<T>(key: string, remote: T): T {
    const text = JSON.stringify({ value: remote });
    this.#sql.exec("UPDATE pw_effects SET status = 'confirmed', remote = ? WHERE key = ?", text, key);
    return remote;
  }

  #refuse(key: string): void {
    this.#sql.exec("UPDATE pw_effects SET status = 'refused' WHERE key = ?", key);
  }

  #remote<T>(row: Row): T {
    return (JSON.parse(row.remote ?? "{}") as { value: T }).value;
  }
}
