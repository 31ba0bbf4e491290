/** The message of anything thrown. For logs and journaled faults; people get the text of a named fault instead. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
