/**
 * The status comment of one request: posted once, then edited. It can be late or missing, and then the work goes on:
 * a report must never be able to fail a task. A person's act wins: a comment of ours that someone edited or deleted is
 * left as it is, and the end of the request is then said in a comment of its own.
 */
import type { PostedComment } from "../domain/github.ts";
import type { GitHubFault } from "../domain/github-fault.ts";
import { sha256Hex } from "../lib/bytes.ts";
import { plainText } from "../lib/plain-text.ts";
import type { Result } from "../lib/result.ts";
import { marker, statusComment, type StatusView } from "../report/status-comment.ts";
import type { Journal } from "./journal.ts";
import type { Ledger } from "./ledger.ts";
import type { ThreadPort } from "./ports.ts";

function fingerprint(text: string): Promise<string> {
  return sha256Hex(plainText(text));
}

type Posted = Result<PostedComment, GitHubFault>;

export type StatusPlace = {
  readonly task: string;
  readonly request: string;
  readonly number: number;
  /** ISO 8601; no comment of this request is older. */
  readonly since: string;
  /** Sets the steps of one run of the request apart from those of another; "" for the first. */
  readonly phase: string;
  /** Fingerprints of what our comment may say, kept from one run of the request to the next. */
  readonly said: { get(): string | undefined; set(body: string): void };
};

export class Status {
  #view: StatusView;
  #posted: Posted | undefined;
  #shows = 0;
  readonly #place: StatusPlace;
  readonly #journal: Journal;
  readonly #ledger: Ledger;
  readonly #thread: ThreadPort;

  constructor(place: StatusPlace, journal: Journal, ledger: Ledger, thread: ThreadPort) {
    this.#view = { task: place.task, request: place.request, notes: [] };
    this.#place = place;
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

  async #show(final: boolean): Promise<void> {
    const body = statusComment(this.#view);
    const step = `${this.#place.request}:status:${this.#place.phase}${++this.#shows}`;
    const first = this.#posted === undefined;
    if (this.#posted === undefined || (final && !this.#posted.ok)) {
      this.#posted = await this.#post(`${this.#place.request}:status`, step, body, final);
      // Only the very first comment surely says this: a later look may find one that an earlier try had posted.
      if (first && this.#place.phase === "") return;
    }
    if (!this.#posted.ok) return;
    const { id } = this.#posted.value;
    const edited = await this.#journal.github(
      `${step}:edit`,
      () =>
        this.#ledger.perform({
          key: `${step}:edit`,
          kind: "edit",
          send: async () => {
            const known = this.#written();
            await this.#write(body);
            const outcome = await this.#thread.editComment(id, body, (says) => known(says));
            if (outcome === "edited") await this.#confirm(body);
            return outcome;
          },
        }),
      final,
    );
    if (edited.ok && edited.value === "changed-by-person" && final) {
      await this.#post(`${this.#place.request}:status:end`, `${step}:end`, body, true);
    }
  }

  /** Fingerprints of what our comment says or may say. */
  #ours(): readonly string[] {
    return this.#place.said.get()?.split(" ") ?? [];
  }

  /** Whether our comment says what we wrote or may have written. Where nothing is known of it, it is ours. */
  #written(): (says: string) => Promise<boolean> {
    const ours = this.#ours();
    return async (says) => ours.length === 0 || ours.includes(await fingerprint(says));
  }

  /** Before a body is sent: its answer may be lost, and then it may be there all the same. */
  async #write(body: string): Promise<void> {
    const ours = this.#ours();
    const mark = await fingerprint(body);
    if (!ours.includes(mark)) this.#place.said.set([...ours, mark].join(" "));
  }

  async #confirm(body: string): Promise<void> {
    this.#place.said.set(await fingerprint(body));
  }

  /** One comment per key, however often it is asked for. */
  #post(key: string, step: string, body: string, persistent: boolean): Promise<Posted> {
    const { task, request, number, since } = this.#place;
    const mark = marker(task, key === `${request}:status` ? request : `${request}-end`);
    return this.#journal.github(
      step,
      () =>
        this.#ledger.perform({
          key,
          kind: "comment",
          send: async () => {
            if (key === `${request}:status`) await this.#write(body);
            return this.#thread.comment(number, body.replace(marker(task, request), mark));
          },
          probe: () => this.#thread.findComment(number, mark, since),
        }),
      persistent,
    );
  }
}
