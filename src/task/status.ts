/**
 * The status comment of one request: posted once, then edited. It can be late or missing, and then the work goes on:
 * a report must never be able to fail a task.
 */
import type { GitHubFault } from "../domain/github-fault.ts";
import type { Result } from "../lib/result.ts";
import { marker, statusComment, type StatusView } from "../report/status-comment.ts";
import type { Journal } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import type { ThreadPort } from "./ports.ts";

type Posted = Result<{ id: number; url: string }, GitHubFault>;

export class Status {
  #view: StatusView;
  #posted: Posted | undefined;
  #edits = 0;
  /** Sets the edits of one run of the request apart from those of another. */
  readonly #phase: string;
  readonly #number: number;
  readonly #since: string;
  readonly #journal: Journal;
  readonly #ledger: Ledger;
  readonly #thread: ThreadPort;

  constructor(
    where: { task: string; request: string; number: number; since: string; phase: string },
    journal: Journal,
    ledger: Ledger,
    thread: ThreadPort,
  ) {
    this.#view = { task: where.task, request: where.request, notes: [] };
    this.#phase = where.phase;
    this.#number = where.number;
    this.#since = where.since;
    this.#journal = journal;
    this.#ledger = ledger;
    this.#thread = thread;
  }

  /** Add to the next comment without sending it yet. */
  note(text: string): void {
    this.#view = { ...this.#view, notes: [...this.#view.notes, text] };
  }

  /** Say what is being done. */
  async say(change: Pick<StatusView, "doing" | "proposal">): Promise<void> {
    this.#view = { ...this.#view, ...change };
    await this.#show(false);
  }

  /** The last word. Kept trying for, where GitHub is away: everything ends visibly. */
  async finish(end: NonNullable<StatusView["end"]>): Promise<void> {
    this.#view = { ...this.#view, end };
    await this.#show(true);
  }

  async #show(persistent: boolean): Promise<void> {
    const body = statusComment(this.#view);
    if (this.#posted === undefined) {
      this.#posted = await this.#post(body, persistent);
      return;
    }
    if (!this.#posted.ok) return;
    const { id } = this.#posted.value;
    const key = `${this.#view.request}:status:${this.#phase}edit:${++this.#edits}`;
    await this.#journal.github(
      key,
      () => this.#ledger.perform({ key, kind: "edit", send: () => this.#thread.editComment(id, body) }),
      persistent,
    );
  }

  #post(body: string, persistent: boolean): Promise<Posted> {
    const { task, request } = this.#view;
    const key = `${request}:status`;
    return this.#journal.github(
      key,
      () =>
        this.#ledger.perform({
          key,
          kind: "comment",
          send: () => this.#thread.comment(this.#number, body),
          probe: () => this.#thread.findComment(this.#number, marker(task, request), this.#since),
        }),
      persistent,
    );
  }
}
