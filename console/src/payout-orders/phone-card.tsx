import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { ClaimClock } from './claim-clock.tsx';
import { payeeAccount } from './payee-fields.ts';
import styles from './phone.module.css';

interface PhoneCardProps {
  readonly order: PayoutOrderRow;
  readonly button: { readonly label: string; readonly busy: boolean; readonly run: () => void };
}

export function PhoneCard({ order, button }: PhoneCardProps) {
  const { t } = useTranslation();
  const { currency } = order;
  return (
    <li className={styles['card']} data-row={order.orderCode}>
      <div className={styles['line']}>
        <span className={styles['amount']}>
          <Money minor={order.amount} currency={currency} />
        </span>
        {order.claim === 'mine' ? (
          <ClaimClock until={order.claimExpireTime} />
        ) : (
          <span className={styles['soft']}>
            <Moment time={order.createTime} />
          </span>
        )}
      </div>
      <div className={styles['payee']}>
        <span>{order.userName ?? '–'}</span>
        <span className="figures">{payeeAccount(order) ?? '–'}</span>
        {order.bankName && <span>{order.bankName}</span>}
      </div>
      <div className={styles['line']}>
        <span className={styles['soft']}>{t('orders.commission')}</span>
        <Money minor={order.expectedCommission ?? order.supplierCommission} currency={currency} />
      </div>
      <Button
        type="primary"
        block
        className={styles['act'] ?? ''}
        loading={button.busy}
        onClick={button.run}
        aria-label={`${button.label} ${order.orderCode}`}
      >
        {button.label}
      </Button>
    </li>
  );
}
