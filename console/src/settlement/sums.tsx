import type { Currency } from '@sangam/contract/money.ts';
import { Money } from '../figures/money.tsx';
import styles from './settlement.module.css';

/** One sum per currency. */
export function Sums({
  amounts,
}: {
  readonly amounts: readonly { readonly currency: Currency; readonly amount: number }[];
}) {
  if (amounts.length === 0) return '–';
  return (
    <span className={styles['sums']}>
      {amounts.map(({ currency, amount }) => (
        <Money key={currency} minor={amount} currency={currency} />
      ))}
    </span>
  );
}
