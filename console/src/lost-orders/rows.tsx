import { useTranslation } from 'react-i18next';
import { MessageState } from '../figures/message-state.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { Status } from '../figures/status.tsx';
import { Verdict } from '../figures/verdict.tsx';
import { useNames } from '../language/names.ts';
import { expected, type LostMoney, type LostOrder } from './lost.ts';
import styles from './lost-orders.module.css';

export function MoneyFacts({ money }: { readonly money: LostMoney }) {
  return (
    <>
      <span className={styles['first']}>
        <Money minor={money.amount} currency={money.currency} strong />
        <MessageState state={money.state} />
        <Moment time={money.movedTime} />
      </span>
      <span className={styles['facts']}>
        {[money.accountName, money.utr, money.payer, money.supplierName].filter(Boolean).join(' · ') || '–'}
      </span>
    </>
  );
}

export function MoneyRow({ money }: { readonly money: LostMoney }) {
  const { t } = useTranslation();
  return (
    <>
      <MoneyFacts money={money} />
      <span className={`${styles['facts']} ${styles['why']}`}>
        <Verdict verdict={money.verdict} confidence={money.confidence} />
      </span>
      {money.bookedOrderCode !== null && (
        <span className={styles['facts']}>{t('lost.bookedOrder', { code: money.bookedOrderCode })}</span>
      )}
      <span className={styles['text']}>{money.text}</span>
    </>
  );
}

export function OrderFacts({ order }: { readonly order: LostOrder }) {
  const { t } = useTranslation();
  const name = useNames();
  return (
    <>
      <span className={styles['first']}>
        <Money minor={expected(order)} currency={order.currency} strong />
        <Status
          tone={order.orderStatusId === 1 ? 'pending' : 'warning'}
          label={name('collectionStatus', order.orderStatusId)}
        />
        <Moment time={order.createTime} />
      </span>
      <span className={styles['facts']}>
        {[order.orderCode, order.accountName, order.merchantName, order.userName].filter(Boolean).join(' · ')}
      </span>
      {order.payerUtr !== null && (
        <span className={styles['facts']}>{t('lost.payerSays', { utr: order.payerUtr })}</span>
      )}
      {order.marked && (
        <span className={styles['facts']}>
          <Status tone="warning" label={name('orderMark', 3)} />
        </span>
      )}
    </>
  );
}
