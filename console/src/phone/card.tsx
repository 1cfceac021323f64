/** @jsxImportSource preact */
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { businessDay, parseTime } from '@sangam/contract/time.ts';
import { relativeText, dateText } from '../figures/moment-text.ts';
import { moneyText } from '../figures/money-text.ts';
import { ClaimClock } from './claim-clock.tsx';
import { usePhone } from './context.ts';
import { notToPay } from './not-to-pay.ts';
import { payeeAccount } from './payee-fields.ts';
import styles from './phone.module.css';
import { useNow } from './use-now.ts';

const AGE_MS = 15_000;

interface CardProps {
  readonly order: PayoutOrderRow;
  readonly button: { readonly label: string; readonly busy: boolean; readonly run: () => void };
}

export function Card({ order, button }: CardProps) {
  const { texts } = usePhone();
  const { currency } = order;
  const notice = notToPay(order, texts.payouts);
  const commission = order.expectedCommission ?? order.supplierCommission;
  return (
    <li className={styles['card']} data-row={order.orderCode}>
      <div className={styles['line']}>
        <span className={`figures ${styles['amount']}`}>{moneyText(order.amount, currency)}</span>
        {order.claim === 'mine' ? (
          <ClaimClock until={order.claimExpireTime} />
        ) : (
          <Age time={order.createTime} />
        )}
      </div>
      <div className={styles['payee']}>
        <span>{order.userName ?? '–'}</span>
        <span className="figures">{payeeAccount(order) ?? '–'}</span>
        {order.bankName && <span>{order.bankName}</span>}
      </div>
      <div className={styles['line']}>
        <span className={styles['soft']}>{texts.orders.commission}</span>
        <span className="figures">
          {typeof commission === 'number' ? moneyText(commission, currency) : '–'}
        </span>
      </div>
      {notice !== undefined && <p className={styles['waits']}>{notice}</p>}
      <button
        type="button"
        className={styles[notice === undefined ? 'primary' : 'plain']}
        aria-busy={button.busy}
        onClick={button.run}
        aria-label={`${button.label} ${order.orderCode}`}
      >
        {button.label}
      </button>
    </li>
  );
}

function Age({ time }: { readonly time: string }) {
  const { locale } = usePhone();
  const now = useNow(AGE_MS);
  const moment = parseTime(time);
  const text = moment && relativeText(moment, now, locale);
  return (
    <time className={styles['soft']} title={time}>
      {text ?? dateText(time, businessDay(new Date(now)))}
    </time>
  );
}
