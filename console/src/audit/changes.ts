import { type Entry, fieldsOf } from '../figures/entry-values.ts';

export interface Change {
  readonly field: string;
  /** Undefined: the field did not exist before. */
  readonly before: unknown;
  readonly after: unknown;
}

/** What the server writes in place of a value that the viewer may not see. */
export const HIDDEN = '***';

/**
 * The fields whose values differ before and after, in the order they were written. A value without fields counts as one field. A
 * hidden value may differ, so its field stays.
 */
export function changesOf({ before, after }: Pick<Entry, 'before' | 'after'>): Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((field) => ({ field, before: was[field], after: is[field] }))
    .filter(
      ({ before: a, after: b }) =>
        a === HIDDEN || b === HIDDEN || JSON.stringify(a ?? null) !== JSON.stringify(b ?? null),
    );
}
