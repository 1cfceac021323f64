import type { Currency } from '@sangam/contract/money.ts';
import styles from './figures.module.css';
import { Money } from './money.tsx';

export interface Amount {
  readonly minor: number;
  readonly currency: Currency;
}

/** The total of amounts, one per currency. Currencies are never added together. */
export function Sums({ label, amounts }: { readonly label: string; readonly amounts: readonly Amount[] }) {
  const sums = new Map<Currency, number>();
  for (const { minor, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + minor);
  return (
    <span className={styles['sums']}>
      <span>{label}</span>
      {[...sums].map(([currency, minor]) => (
        <Money key={currency} minor={minor} currency={currency} />
      ))}
    </span>
  );
}
