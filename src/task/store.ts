/** What a Task remembers, in its own SQLite: the inbox, the requests in order, and file sets too big for the journal. */
import { z } from "zod";
import type { Decision } from "../domain/decision.ts";
import type { RepoEvent } from "../domain/event.ts";
import type { RequestEnd, TaskRequest } from "../domain/request.ts";

/** Characters per row of a stored value. SQLite rows in a Durable Object hold at most 2 MB. */
const PART_LENGTH = 500_000;

export type Accepted = { readonly accepted: boolean; readonly request: string };

export class TaskStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS pw_deliveries (
        guid TEXT PRIMARY KEY, request TEXT NOT NULL, received_at INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS pw_requests (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, trigger_key TEXT NOT NULL UNIQUE, body TEXT NOT NULL,
        end TEXT, created_at INTEGER NOT NULL, ended_at INTEGER);
      CREATE INDEX IF NOT EXISTS pw_requests_open ON pw_requests (seq) WHERE end IS NULL;
      CREATE TABLE IF NOT EXISTS pw_effects (
        key TEXT PRIMARY KEY, kind TEXT NOT NULL, status TEXT NOT NULL,
        attempts INTEGER NOT NULL, sent_at INTEGER, remote TEXT);
      CREATE TABLE IF NOT EXISTS pw_values (
        name TEXT NOT NULL, part INTEGER NOT NULL, data TEXT NOT NULL, PRIMARY KEY (name, part));
    `);
  }

  /**
   * Take a delivery in. A GUID seen before, or a trigger seen before under any GUID, adds nothing.
   * @param now milliseconds since the epoch
   */
  accept(event: RepoEvent, decision: Extract<Decision, { act: true }>, now: number): Accepted {
    return this.#storage.transactionSync(() => {
      const sql = this.#storage.sql;
      const known = sql
        .exec<{ request: string }>("SELECT request FROM pw_deliveries WHERE guid = ?", event.delivery)
        .toArray()[0];
      if (known !== undefined) return { accepted: false, request: known.request };
      const body = JSON.stringify({ kind: decision.kind, event, instruction: decision.instruction });
      const added = sql
        .exec<{ seq: number }>(
          `INSERT INTO pw_requests (trigger_key, body, created_at) VALUES (?, ?, ?)
           ON CONFLICT (trigger_key) DO NOTHING RETURNING seq`,
          decision.triggerKey,
          body,
          now,
        )
        .toArray()[0];
      const seq =
        added?.seq ??
        sql
          .exec<{ seq: number }>("SELECT seq FROM pw_requests WHERE trigger_key = ?", decision.triggerKey)
          .one().seq;
      const request = `r${seq}`;
      sql.exec("INSERT INTO pw_deliveries VALUES (?, ?, ?)", event.delivery, request, now);
      return { accepted: added !== undefined, request };
    });
  }

  /** The oldest request that has not ended: the one that runs. */
  current(): TaskRequest | undefined {
    const row = this.#storage.sql
      .exec<{ seq: number; body: string }>(
        "SELECT seq, body FROM pw_requests WHERE end IS NULL ORDER BY seq LIMIT 1",
      )
      .toArray()[0];
    return row && toRequest(row.seq, row.body);
  }

  request(id: string): TaskRequest | undefined {
    const row = this.#storage.sql
      .exec<{ seq: number; body: string }>("SELECT seq, body FROM pw_requests WHERE seq = ?", seqOf(id))
      .toArray()[0];
    return row && toRequest(row.seq, row.body);
  }

  hasEnded(id: string): boolean {
    const row = this.#storage.sql
      .exec<{ end: string | null }>("SELECT end FROM pw_requests WHERE seq = ?", seqOf(id))
      .toArray()[0];
    return row?.end != null;
  }

  /** Record how a request ended. The first end stands. */
  end(id: string, end: RequestEnd, now: number): void {
    this.#storage.sql.exec(
      "UPDATE pw_requests SET end = ?, ended_at = ? WHERE seq = ? AND end IS NULL",
      JSON.stringify(end),
      now,
      seqOf(id),
    );
    this.#storage.sql.exec("DELETE FROM pw_values WHERE name LIKE ? || '/%'", id);
  }

  /** How each request ended, oldest first: for people and tests that ask. */
  ends(): { request: string; end: RequestEnd | undefined }[] {
    return this.#storage.sql
      .exec<{ seq: number; end: string | null }>("SELECT seq, end FROM pw_requests ORDER BY seq LIMIT 100")
      .toArray()
      .map(({ seq, end }) => ({
        request: `r${seq}`,
        end: end === null ? undefined : (JSON.parse(end) as RequestEnd),
      }));
  }

  /** Keep a large value under `<request>/<name>` until the request ends. */
  putValue(request: string, name: string, value: unknown): void {
    // ASCII only: a part must not end inside a surrogate pair, which SQLite's UTF-8 could not hold.
    const text = JSON.stringify(value).replaceAll(/[^ -~]/g, escapeUnit);
    const key = `${request}/${name}`;
    this.#storage.transactionSync(() => {
      this.#storage.sql.exec("DELETE FROM pw_values WHERE name = ?", key);
      for (let part = 0; part * PART_LENGTH < text.length; part++) {
        const data = text.slice(part * PART_LENGTH, (part + 1) * PART_LENGTH);
        this.#storage.sql.exec("INSERT INTO pw_values VALUES (?, ?, ?)", key, part, data);
      }
    });
  }

  /** One kept text, for who should know no more of the store than that. */
  memory(request: string, name: string): { get(): string | undefined; set(text: string): void } {
    return {
      get: () => this.getValue<string>(request, name),
      set: (text) => this.putValue(request, name, text),
    };
  }

  /** A kept value, or undefined. */
  getValue<T>(request: string, name: string): T | undefined {
    const parts = this.#storage.sql
      .exec<{ data: string }>("SELECT data FROM pw_values WHERE name = ? ORDER BY part", `${request}/${name}`)
      .toArray();
    return parts.length === 0 ? undefined : (JSON.parse(parts.map(({ data }) => data).join("")) as T);
  }
}

const Body = z.object({ kind: z.literal("ask"), event: z.unknown(), instruction: z.string() });

function toRequest(seq: number, body: string): TaskRequest {
  const { kind, event, instruction } = Body.parse(JSON.parse(body));
  // Written by `accept` from a RepoEvent.
  return { id: `r${seq}`, kind, event: event as RepoEvent, instruction };
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function seqOf(id: string): number {
  return Number(id.slice(1));
}
