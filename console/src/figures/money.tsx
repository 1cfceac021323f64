import type { Currency } from '@sangam/contract/money.ts';
import styles from './figures.module.css';
import { moneyText, shortMoneyText } from './money-text.ts';

interface MoneyProps {
  readonly minor: number | null | undefined;
  readonly currency: Currency;
  /** Colours and signs the amount by its direction: for ledger entries, not for order amounts. */
  readonly directed?: boolean;
  readonly strong?: boolean;
  /** Leaves the fraction out, for sums with little room. */
  readonly whole?: boolean;
}

/** The only component that shows amounts. */
export function Money({ minor, currency, directed = false, strong = false, whole = false }: MoneyProps) {
  if (minor === null || minor === undefined) return <span className={styles['absent']}>–</span>;
  const direction = directed && minor !== 0 ? (minor > 0 ? styles['in'] : styles['out']) : undefined;
  const sign = directed && minor > 0 ? '+' : '';
  return (
    <span className={[styles['money'], strong && styles['strong'], direction].filter(Boolean).join(' ')}>
      {sign}
      {moneyText(minor, currency, whole)}
    </span>
  );
}

/** A shortened sum, in lakh and crore (or thousands and millions); the exact sum shows on hover. */
export function ShortMoney({ minor, currency }: { readonly minor: number; readonly currency: Currency }) {
  return (
    <span className={styles['money']} title={moneyText(minor, currency)}>
      {shortMoneyText(minor, currency)}
    </span>
  );
}
