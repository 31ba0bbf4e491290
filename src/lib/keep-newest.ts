/**
 * Put a value into a map that holds at most `most`, as its newest; the oldest goes. What an isolate keeps between
 * requests must not grow with the number of repositories it serves.
 */
export function keepNewest<K, V>(kept: Map<K, V>, key: K, value: V, most: number): void {
  kept.delete(key);
  kept.set(key, value);
  const oldest = kept.keys().next();
  if (kept.size > most && !oldest.done) kept.delete(oldest.value);
}
