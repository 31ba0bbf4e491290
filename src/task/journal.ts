/**
 * Steps whose results are kept. On every replay after a crash the same code runs from its first line, and a step that
 * has ended answers from the journal (agents' `tasks`). A step that GitHub refuses for good ends as a value; one that
 * can succeed later is tried again, on a durable delay.
 */
import type { TaskStep, TaskStepConfig } from "agents/tasks";
import { GitHubError, isTransientGitHub, type GitHubFault } from "../domain/github-fault.ts";
import { fail, pass, type Result } from "../lib/result.ts";

/** Tries of one GitHub call. From 2 s on, doubled each time: about four minutes in all. */
const TRIES = 8;

/** For what people must see in the end: keeps trying for about two weeks, at most a day apart. */
const PERSISTENT_TRIES = 30;

/** Waits for a rate limit to end, per step, before it counts as GitHub being away. */
const MAX_LIMIT_WAITS = 10;

export type StepTimes = (step: string, ms: number) => void;

export class Journal {
  readonly #step: TaskStep;
  readonly #retryMs: number;
  readonly #times: StepTimes;

  /** @param retryMs the first wait before a step that threw is tried again */
  constructor(step: TaskStep, retryMs: number, times: StepTimes) {
    this.#step = step;
    this.#retryMs = retryMs;
    this.#times = times;
  }

  /** A step that does not fail for a reason of its own. What it throws is retried. */
  async do<T>(name: string, work: () => Promise<T>, config: TaskStepConfig = {}): Promise<T> {
    const text = await this.#step.do(name, { ...this.#retries(TRIES), ...config }, async () => {
      const from = Date.now();
      // Journaled as text: a value that JSON changes would be one thing now and another after a replay.
      const value = JSON.stringify({ value: await work() });
      this.#times(name, Date.now() - from);
      return value;
    });
    return (JSON.parse(text) as { value: T }).value;
  }

  /** A step that GitHub may refuse. A rate limit is waited out, asleep. */
  async github<T>(name: string, work: () => Promise<T>, persistent = false): Promise<Result<T, GitHubFault>> {
    for (let wait = 0; ; wait++) {
      const suffix = wait === 0 ? "" : `#${wait + 1}`;
      const ran = await this.do(
        name + suffix,
        () => settle(work),
        persistent ? this.#retries(PERSISTENT_TRIES) : {},
      );
      if (ran.ok || ran.fault.why !== "limited" || wait >= MAX_LIMIT_WAITS) return ran;
      await this.#step.sleepUntil(`${name}${suffix}:limit`, ran.fault.retryAt ?? 0);
    }
  }

  /** Sleep before try `attempt + 1`, twice as long each time. */
  async backOff(name: string, attempt: number): Promise<void> {
    await this.#step.sleep(name, this.#retryMs * 2 ** (attempt - 1));
  }

  #retries(limit: number): TaskStepConfig {
    return { retries: { limit, delay: this.#retryMs, backoff: "exponential" } };
  }
}

/** Permanent refusals and rate limits become values; the rest is thrown, so that the step is tried again. */
async function settle<T>(work: () => Promise<T>): Promise<Result<T, GitHubFault>> {
  try {
    return pass(await work());
  } catch (thrown) {
    if (!(thrown instanceof GitHubError)) throw thrown;
    if (thrown.fault.why !== "limited" && isTransientGitHub(thrown.fault)) throw thrown;
    return fail(thrown.fault);
  }
}
