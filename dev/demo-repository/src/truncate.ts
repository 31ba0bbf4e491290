/**
 * A text cut to at most `max` characters, the mark included. It is cut between words; a single long word is cut
 * where it must be. A text that fits is returned as it is.
 */
export function truncate(text: string, max: number, mark = "…"): string {
  const characters = Array.from(text);
  if (characters.length <= max) return text;
  const room = max - Array.from(mark).length;
  if (room <= 0) return Array.from(mark).slice(0, max).join("");
  const kept = characters.slice(0, room).join("");
  const lastSpace = kept.lastIndexOf(" ");
  return (lastSpace > 0 ? kept.slice(0, lastSpace) : kept).trimEnd() + mark;
}
