/** What was asked of the server and what came of it: the oracle of journeys. */
import type { AuditEntry } from "./options.ts";

export class Audit {
  readonly #entries: AuditEntry[] = [];

  /** A copy of the list as it is now. */
  get entries(): readonly AuditEntry[] {
    return [...this.#entries];
  }

  add(entry: AuditEntry): void {
    this.#entries.push(entry);
  }

  clear(): void {
    this.#entries.length = 0;
  }
}
