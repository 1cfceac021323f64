import type { Currency } from '@sangam/contract/money.ts';
import type { Names } from '../language/names.ts';
import { fieldName } from '../language/record-words.ts';
import { isFields, recordText } from './record-values.ts';

/** An entry of the audit. */
export interface Entry {
  readonly action: string;
  readonly subject: string;
  readonly before: unknown;
  readonly after: unknown;
  /** The order that it is about. */
  readonly order: { readonly direction: 'in' | 'out'; readonly currency: Currency | null } | null;
}

/** The fields of a value before or after. A value without fields counts as one field. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (value === null || value === undefined) return {};
  return isFields(value) ? value : { value };
}

/** One field before or after a change as one line, read with the rest of its entry. */
export function entryValue(name: Names, entry: Entry, field: string, value: unknown): string {
  const { action, subject, before, after, order } = entry;
  if (action.startsWith('approval.') && typeof value === 'string') {
    if (field === 'kind') return name('approvalKinds', value);
    if (field === 'status') return name('approvalStatus', value);
  }
  if (order && typeof value === 'number') {
    if (field === 'status')
      return name(order.direction === 'in' ? 'collectionStatus' : 'payoutStatus', value);
    if (field === 'mark') return name('orderMark', value);
  }
  // `kind` is a patch's kind only in entries of 'chain.patch'. `status` is never a batch's status in the audit.
  const isOther = (field === 'kind' && action !== 'chain.patch') || field === 'status';
  const { currency } = { ...fieldsOf(before), ...fieldsOf(after) };
  const [kind, setting] = subject.split(':');
  return recordText(name, isOther ? '' : field, value, {
    currency: (currency as Currency | undefined) ?? order?.currency ?? null,
    setting: kind === 'setting' ? setting : undefined,
  });
}

/** All fields of an entry before or after as one line. */
export function entryText(name: Names, entry: Entry, value: unknown): string {
  return (
    Object.entries(fieldsOf(value))
      .map(([field, each]) =>
        isFields(value)
          ? `${fieldName(name, field)}: ${entryValue(name, entry, field, each)}`
          : entryValue(name, entry, field, each),
      )
      .join(' · ') || '–'
  );
}
