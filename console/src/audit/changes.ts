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
  /** Undefined: the field was not there. */
  readonly before: unknown;
  readonly after: unknown;
}

/** The fields whose values differ before and after, in the order they were written. A value that has no fields is one field. */
export function changesOf({ before, after }: Pick<Entry, 'before' | 'after'>): Change[] {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((field) => ({ field, before: was[field], after: is[field] }))
    .filter(({ before: a, after: b }) => JSON.stringify(a ?? null) !== JSON.stringify(b ?? null));
}

/** A side of a change in a line, as the rest of its entry says to read it. */
export function changeText(name: Names, entry: Entry, field: string, value: unknown): string {
  const { action, subject, before, after } = entry;
  if (action.startsWith('approval.') && typeof value === 'string') {
    if (field === 'kind') return name('approvalKinds', value);
    if (field === 'status') return name('approvalStatus', value);
  }
  // In other entries these two are no patch's kind and no batch's status.
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
