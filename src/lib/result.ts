/**
 * Failures as values. A room returns `Result` at its edges: the fault is one of a closed, named list,
 * so a caller cannot forget one without the compiler saying so.
 */
export type Result<T, F> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly fault: F };

/** Wrap a value. */
export function pass<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** Wrap a fault. */
export function fail<const F>(fault: F): { readonly ok: false; readonly fault: F } {
  return { ok: false, fault };
}
