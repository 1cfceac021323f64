/** @jsxImportSource preact */
import { useState } from 'preact/hooks';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { usePhone } from './context.ts';
import styles from './phone.module.css';
import { fill } from './texts.ts';

const COPY = 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1';
const DONE = 'M2.5 8.5l3.5 3.5 7.5-8';
const FAILED = 'M4 4l8 8M12 4l-8 8';

const Mark = ({ path }: { readonly path: string }) => (
  <svg viewBox="0 0 16 16" width={18} height={18} fill="none" stroke="currentColor" aria-hidden>
    <path d={path} />
  </svg>
);

/** The payee's fields: one tap copies a field, another button copies all. */
export function PayeeRows({ order }: { readonly order: PayoutOrderRow }) {
  const { payouts, orders, figures } = usePhone().texts;
  const [copied, setCopied] = useState<{ readonly what: string; readonly done: boolean }>();
  const rows = (
    [
      [payouts.payeeName, order.userName],
      [payouts.cardNumber, order.cardNumber],
      ['IFSC', order.ifscCode],
      [payouts.bankName, order.bankName],
      ['VPA', order.vpa],
      [payouts.usdtAddress, order.usdtAddress],
      [payouts.phone, order.phone],
      [orders.amount, formatMinor(order.amount, order.currency)],
    ] as const
  ).filter((row): row is readonly [string, string] => row[1] !== null);
  const all = rows.map(([label, value]) => `${label}: ${value}`).join('\n');
  const copy = async (what: string, text: string) => {
    // The browser may refuse; on a page without TLS there is no clipboard at all.
    const done = await Promise.resolve()
      .then(() => navigator.clipboard.writeText(text))
      .then(
        () => true,
        () => false,
      );
    setCopied({ what, done });
  };
  const said = copied && (copied.done ? figures.copied : figures.notCopied);
  return (
    <div className={styles['rows']}>
      {rows.map(([label, value]) => (
        <button
          key={label}
          type="button"
          className={styles['row']}
          aria-label={`${fill(payouts.hand.copyField, { name: label })}: ${value}`}
          onClick={() => void copy(label, value)}
        >
          <span className={styles['soft']}>{label}</span>
          <span className="figures">{value}</span>
          <Mark path={copied?.what !== label ? COPY : copied.done ? DONE : FAILED} />
        </button>
      ))}
      <button type="button" className={styles['plain']} onClick={() => void copy(payouts.hand.copyAll, all)}>
        {payouts.hand.copyAll}
      </button>
      <p role="status" className={copied ? styles['soft'] : 'unseen'}>
        {copied && `${copied.what}: ${said}`}
      </p>
    </div>
  );
}
