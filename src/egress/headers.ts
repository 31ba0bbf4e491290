/** Headers by allow list: what is not named does not cross. */
export function keepHeaders(from: Headers, names: readonly string[]): Headers {
  const kept = new Headers();
  for (const name of names) {
    const value = from.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}
