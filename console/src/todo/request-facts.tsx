import type { Currency } from '@sangam/contract/money.ts';
import type { Fact } from '../figures/details.tsx';
import { Money } from '../figures/money.tsx';
import { useNames } from '../language/names.ts';
import { MONEY, percentText, RATES } from './request-fields.ts';

/** The fields a request or its outcome carries, named and formatted; those this build does not know as they are. */
export function useRequestFacts(): (
  fields: Readonly<Record<string, unknown>>,
  currency: Currency | null,
) => Fact[] {
  const name = useNames();
  return (fields, currency) =>
    Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([key, value]) => [name('approvalFields', key), shown(key, value, currency)] as const);

  function shown(key: string, value: unknown, currency: Currency | null) {
    if (MONEY.has(key) && typeof value === 'number' && currency)
      return <Money minor={value} currency={currency} />;
    if (RATES.has(key) && typeof value === 'number') return percentText(value);
    if (key === 'bucket') return name('buckets', String(value));
    if (typeof value === 'boolean') return value ? '✓' : '–';
    return typeof value === 'string' ? value : JSON.stringify(value);
  }
}
