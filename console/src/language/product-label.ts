import type { useNames } from './names.ts';

/** A default product by its name in the reader's language; one an operator added, by the name it was given. */
export function productLabel(name: ReturnType<typeof useNames>, id: number, given: string): string {
  const known = name('products', id);
  return known === String(id) ? given : known;
}
