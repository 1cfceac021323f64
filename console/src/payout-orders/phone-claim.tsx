import { CopyOutlined } from '@ant-design/icons';
import { Button, Drawer, Skeleton } from 'antd';
import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { formatMinor } from '@sangam/contract/money.ts';
import { Money } from '../figures/money.tsx';
import { useCopy } from '../figures/use-copy.ts';
import { chunk } from '../navigation/chunk.ts';
import type { OrderActions } from '../orders/use-order-actions.tsx';
import { ClaimClock } from './claim-clock.tsx';
import { payoutUpiLink } from './payee-fields.ts';
import styles from './phone.module.css';
import { UtrForm } from './utr-form.tsx';

const UpiCode = lazy(async () => ({
  default: await chunk(async () => (await import('./upi-code.tsx')).UpiCode),
}));

interface PhoneClaimProps {
  readonly orderCode: string;
  /** Undefined once it is no longer this supplier's to pay. */
  readonly order: PayoutOrderRow | undefined;
  readonly actions: OrderActions<PayoutOrderRow>;
  readonly onClose: () => void;
}

/** A claimed payout on a phone: what to pay, how, and the one button that says it is paid. */
export function PhoneClaim({ orderCode, order, actions, onClose }: PhoneClaimProps) {
  const { t } = useTranslation();
  const formId = useId();
  return (
    <Drawer
      open
      placement="bottom"
      size="100%"
      onClose={onClose}
      title={t('payouts.hand.claimed', { orderCode })}
      classNames={{ body: styles['sheet'] ?? '', footer: styles['foot'] ?? '' }}
      footer={
        order?.actions.includes('confirmPaid') && (
          <Button type="primary" htmlType="submit" form={formId} block className={styles['act'] ?? ''}>
            {t('actions.confirmPaid')}
          </Button>
        )
      }
    >
      {order ? (
        <>
          <div className={styles['line']}>
            <span className={styles['amount']}>
              <Money minor={order.amount} currency={order.currency} />
            </span>
            <ClaimClock until={order.claimExpireTime} />
          </div>
          <PayeeRows order={order} />
          <UpiWays order={order} />
          {order.actions.includes('confirmPaid') && <UtrForm id={formId} order={order} onPaid={onClose} />}
          <div className={styles['others']}>
            {actions
              .of(order)
              .filter(({ key }) => key === 'cancelClaim' || key === 'reject')
              .map(({ key, label, icon, run }) => (
                <Button key={key} icon={icon} onClick={run} className={styles['act'] ?? ''}>
                  {label}
                </Button>
              ))}
          </div>
        </>
      ) : (
        <p role="status">{t('payouts.hand.gone')}</p>
      )}
    </Drawer>
  );
}

/** Each field to copy with one touch, and all of them together. */
function PayeeRows({ order }: { readonly order: PayoutOrderRow }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const rows = (
    [
      [t('payouts.payeeName'), order.userName],
      [t('payouts.cardNumber'), order.cardNumber],
      ['IFSC', order.ifscCode],
      [t('payouts.bankName'), order.bankName],
      ['VPA', order.vpa],
      [t('payouts.usdtAddress'), order.usdtAddress],
      [t('payouts.phone'), order.phone],
      [t('orders.amount'), formatMinor(order.amount, order.currency)],
    ] as const
  ).filter((row): row is readonly [string, string] => row[1] !== null);
  const all = rows.map(([label, value]) => `${label}: ${value}`).join('\n');
  return (
    <div className={styles['rows']}>
      {rows.map(([label, value]) => (
        <button
          key={label}
          type="button"
          aria-label={`${t('payouts.hand.copyField', { name: label })}: ${value}`}
          onClick={() => void copy(value)}
        >
          <span className={styles['soft']}>{label}</span>
          <span className="figures">{value}</span>
          <CopyOutlined aria-hidden />
        </button>
      ))}
      <Button className={styles['act'] ?? ''} block onClick={() => void copy(all)}>
        {t('payouts.hand.copyAll')}
      </Button>
    </div>
  );
}

/** The app of this phone by a link, that of another by the code. */
function UpiWays({ order }: { readonly order: PayoutOrderRow }) {
  const { t } = useTranslation();
  const link = payoutUpiLink(order);
  const [shown, setShown] = useState(false);
  if (link === undefined) return null;
  return (
    <div className={styles['upi']}>
      <Button href={link} block className={styles['act'] ?? ''}>
        {t('payouts.hand.openUpi')}
      </Button>
      <details onToggle={() => setShown(true)}>
        <summary>{t('payouts.hand.qr')}</summary>
        <div className={styles['code']}>
          {shown && (
            <Suspense fallback={<Skeleton active />}>
              <UpiCode link={link} />
            </Suspense>
          )}
        </div>
      </details>
    </div>
  );
}
