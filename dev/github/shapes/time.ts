/** GitHub writes times in UTC with whole seconds. */
export function iso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}
