import type { ReactNode } from 'react';
import type { Currency } from '@sangam/contract/money.ts';
import type { Fact } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { useNames } from '../language/names.ts';
import { BEFORE, MONEY, percentText, RATES } from './request-fields.ts';

/** The fields a request or its outcome carries, named and formatted; those this build does not know as they are. */
export function useRequestFacts(): (
  fields: Readonly<Record<string, unknown>>,
  currency: Currency | null,
) => Fact[] {
  const name = useNames();
  return (fields, currency) =>
    Object.entries(fields)
      .filter(([key, value]) => value !== null && value !== undefined && !isBefore(fields, key))
      .map(([key, value]) => {
        const before = fields[BEFORE[key] ?? ''] ?? undefined;
        const now = shown(key, value, currency);
        return [
          name('approvalFields', key),
          before === undefined ? now : changed(shown(key, before, currency), now),
        ] as const;
      });

  function shown(key: string, value: unknown, currency: Currency | null) {
    if (MONEY.has(key) && typeof value === 'number' && currency)
      return <Money minor={value} currency={currency} />;
    if (RATES.has(key) && typeof value === 'number') return percentText(value);
    if (key === 'userChange') return name('userChanges', String(value));
    if (key === 'role') return name('roles', String(value));
    if (key === 'bucket') return name('buckets', String(value));
    if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
      return (
        value.map((each) => (key === 'kinds' ? name('alertKinds', String(each)) : each)).join(', ') || '–'
      );
    if (key === 'table') return name('personalLists', String(value).replace('/v1.0/', ''));
    if (key === 'filters')
      return (
        Object.entries(value as object)
          .map(([field, each]) => `${field}: ${String(each)}`)
          .join(', ') || '–'
      );
    if (typeof value === 'boolean') return value ? '✓' : '–';
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

/** Shown with the field that it was before, where the request carries both. */
const isBefore = (fields: Readonly<Record<string, unknown>>, key: string) =>
  Object.entries(BEFORE).some(([now, before]) => before === key && (fields[now] ?? null) !== null);

const changed = (before: ReactNode, now: ReactNode) => (
  <>
    {before} → <strong>{now}</strong>
  </>
);
