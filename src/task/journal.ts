/**
 * Steps whose results are kept. On every replay after a crash the same code runs from its first line, and a step that
 * has ended answers from the journal (agents' `tasks`). A step that GitHub refuses for good ends as a value; one that
 * can succeed later is tried again, on a durable delay.
 */
import type { TaskJson, TaskStep, TaskStepConfig } from "agents/tasks";
import { GitHubError, isTransientGitHub, type GitHubFault } from "../domain/github-fault.ts";
import { fail, pass, type Result } from "../lib/result.ts";

/** Tries of one GitHub call. From 2 s on, doubled each time: about four minutes in all. */
const TRIES = 8;

/** For what people must see in the end: keeps trying for about two weeks, at most a day apart. */
const PERSISTENT_TRIES = 30;

/** Waits for a rate limit to end, per step, before it counts as GitHub being away. */
const MAX_LIMIT_WAITS = 10;

export type StepTimes = (step: string, ms: number) => void;

/** One try of a step. `signal` ends with its timeout; `last` is true when no further try follows. */
export type Try = { readonly signal: AbortSignal; readonly last: boolean };

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

  /**
   * A step that does not fail for a reason of its own. What it throws is retried.
   * @param work its value must be JSON and far below 1 MiB, the journal's limit per step
   */
  async do<T>(name: string, work: (attempt: Try) => Promise<T>, config: TaskStepConfig = {}): Promise<T> {
    const policy = { ...this.#retries(TRIES), ...config };
    const kept = await this.#step.do(name, policy, async ({ attempt, signal }) => {
      const from = Date.now();
      const value = await work({ signal, last: attempt >= (policy.retries?.limit ?? TRIES) });
      this.#times(name, Date.now() - from);
      // What JSON changes (undefined, a class) would be one thing now and another after a replay: changed at once.
      return { value: value === undefined ? null : (JSON.parse(JSON.stringify(value)) as TaskJson) };
    });
    return kept.value as T;
  }

  /**
   * A step that GitHub may refuse, or not answer: both come back as a fault, the second after the last try. A rate
   * limit is waited out, asleep.
   * @param persistent keep trying for about two weeks
   */
  async github<T>(name: string, work: () => Promise<T>, persistent = false): Promise<Result<T, GitHubFault>> {
    const policy = persistent ? this.#retries(PERSISTENT_TRIES) : {};
    for (let wait = 0; ; wait++) {
      const suffix = wait === 0 ? "" : `#${wait + 1}`;
      const ran = await this.do(name + suffix, ({ last }) => settle(work, last), policy);
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

/** Refusals and rate limits are values at once; no answer is thrown, so that the step is tried again, until the last. */
async function settle<T>(work: () => Promise<T>, last: boolean): Promise<Result<T, GitHubFault>> {
  try {
    return pass(await work());
  } catch (thrown) {
    if (!(thrown instanceof GitHubError)) throw thrown;
    if (!last && thrown.fault.why !== "limited" && isTransientGitHub(thrown.fault)) throw thrown;
    return fail(thrown.fault);
  }
}
