/** agents' step over a map: tries, limits and replays as its Tasks have them, without their waits. */
import { MAX_SERIALIZED_BYTES, type TaskStep, type TaskStepAttempt, type TaskStepConfig } from "agents/tasks";

type Work<T> = (attempt: TaskStepAttempt) => T | Promise<T>;

export class Steps implements TaskStep {
  readonly interrupted = null;
  /** What each step that ended gave, as text: what does not survive that is lost, here as there. */
  readonly kept = new Map<string, string>();
  readonly slept: [string, number][] = [];
  readonly configs: TaskStepConfig[] = [];
  /** Tries of each step, over all replays. */
  readonly tries = new Map<string, number>();
  readonly #seen = new Set<string>();

  /** The same code runs once more from its first line. */
  replay(): this {
    this.#seen.clear();
    return this;
  }

  async do<T>(name: string, config: TaskStepConfig | Work<T>, work?: Work<T>): Promise<T> {
    if (this.#seen.has(name)) throw new Error(`two steps are called ${name}`);
    this.#seen.add(name);
    const [policy, run] = typeof config === "function" ? [{}, config] : [config, work];
    if (run === undefined) throw new Error(`${name} does nothing`);
    this.configs.push(policy);
    const known = this.kept.get(name);
    if (known !== undefined) return JSON.parse(known) as T;
    const value = await this.#try(name, policy.retries?.limit ?? 1, run);
    const text = JSON.stringify(value);
    const bytes = new TextEncoder().encode(text).byteLength;
    if (bytes > MAX_SERIALIZED_BYTES) throw new Error(`${name} gave ${bytes} bytes`);
    this.kept.set(name, text);
    return value;
  }

  async #try<T>(name: string, limit: number, run: Work<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      this.tries.set(name, (this.tries.get(name) ?? 0) + 1);
      try {
        return await run({ attempt, signal: new AbortController().signal, idempotencyKey: name });
      } catch (thrown) {
        if (attempt >= limit) throw thrown;
      }
    }
  }

  async sleep(name: string, duration: number | string): Promise<void> {
    this.slept.push([name, Number(duration)]);
  }
  async sleepUntil(name: string, when: number | Date): Promise<void> {
    this.slept.push([name, Number(when)]);
  }
  async status(): Promise<void> {}
  idempotencyKey(name: string): string {
    return name;
  }
}
