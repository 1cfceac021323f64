/** What of a text from outside PostgreSQL can hold: everything but U+0000 and halves of characters. */

/** Whether JSON text holds U+0000, as itself or as an escape: it is refused, for nobody writes it in earnest. */
export function holdsNul(json: string): boolean {
  return json.includes('\0') || json.includes('\\u0000');
}

/** A text with its halves of characters, as a message cut off may end with, replaced by U+FFFD; any other value as it is. */
export function mended(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
