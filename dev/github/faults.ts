/** The troubles a test asks for, and which written objects are still hidden from lists. */
import type { Fault, FaultKind } from "./options.ts";

export class Faults {
  #active: { readonly fault: Fault; left: number }[] = [];
  readonly #hiddenUntil = new WeakMap<object, number>();

  add(fault: Fault): void {
    this.#active.push({ fault, left: fault.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.#active = [];
  }

  /** The faults that hit this request, in the order they were added; each is used up by one. */
  take(method: string, path: string): FaultKind[] {
    const hit = this.#active.filter(({ fault }) => {
      const { match } = fault;
      if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
      return match.path === undefined || path.search(match.path) >= 0;
    });
    for (const one of hit) one.left -= 1;
    this.#active = this.#active.filter((one) => one.left > 0);
    return hit.map((one) => one.fault.kind);
  }

  /** Keeps a written object out of lists until `until` (ms since the epoch). Reading it by id works. */
  hide(object: object, until: number): void {
    this.#hiddenUntil.set(object, until);
  }

  isVisible(object: object, now: number): boolean {
    return (this.#hiddenUntil.get(object) ?? 0) <= now;
  }
}
