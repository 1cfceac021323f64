import type { useNames } from './names.ts';

/** The name of a default product in the reader's language; of a product the operator added, the operator's name. */
export function productLabel(name: ReturnType<typeof useNames>, id: number, given: string): string {
  const known = name('products', id);
  return known === String(id) ? given : known;
}
