import type { Currency } from '@sangam/contract/money.ts';
import { isFields, recordText } from '../figures/record-values.ts';
import type { Names } from '../language/names.ts';

interface Entry {
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
}

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

/** The value before or after a change as one line, read with the rest of its audit entry. */
export function changeText(name: Names, entry: Entry, field: string, value: unknown): string {
  const { action, subject, before, after } = entry;
  if (action.startsWith('approval.') && typeof value === 'string') {
    if (field === 'kind') return name('approvalKinds', value);
    if (field === 'status') return name('approvalStatus', value);
  }
  // `kind` is a patch's kind only in entries of 'chain.patch'. `status` is never a batch's status in the audit.
  const isOther = (field === 'kind' && action !== 'chain.patch') || field === 'status';
  const { currency } = { ...fieldsOf(before), ...fieldsOf(after) };
  const [kind, setting] = subject.split(':');
  return recordText(name, isOther ? '' : field, value, {
    currency: (currency as Currency | undefined) ?? null,
    setting: kind === 'setting' ? setting : undefined,
  });
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  return isFields(value) ? value : { value };
}
