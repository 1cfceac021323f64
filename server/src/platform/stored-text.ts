/** Makes outside text fit for PostgreSQL, which cannot store U+0000 or half a surrogate pair. */

/** Whether JSON text holds U+0000, raw or as an escape. Such input is refused, because no honest caller sends it. */
export function holdsNul(json: string): boolean {
  return json.includes('\0') || json.includes('\\u0000');
}

/** Replaces half surrogate pairs in a text by U+FFFD (a message may be cut there). Other values stay as they are. */
export function mended(value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
