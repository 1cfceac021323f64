/** @jsxImportSource preact */
import { useId, useState } from 'preact/hooks';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { moneyText } from '../figures/money-text.ts';
import { ClaimClock } from './claim-clock.tsx';
import { usePhone } from './context.ts';
import { GiveBack } from './give-back.tsx';
import { notToPay } from './not-to-pay.ts';
import { PayeeRows } from './payee-rows.tsx';
import styles from './phone.module.css';
import { Sheet } from './sheet.tsx';
import { fill } from './texts.ts';
import { UpiWays } from './upi-ways.tsx';
import { UtrForm } from './utr-form.tsx';

interface ClaimSheetProps {
  readonly orderCode: string;
  /** Undefined once the payout is no longer this supplier's to pay. */
  readonly order: PayoutOrderRow | undefined;
  /** Called after a change, so that the lists reload. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** A claimed payout: what to pay, how, and the button that says it is paid. */
export function ClaimSheet({ orderCode, order, onChanged, onClose }: ClaimSheetProps) {
  const { actions, payouts } = usePhone().texts;
  const formId = useId();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<'cancelClaim' | 'reject'>();
  const mayConfirm = order?.actions.includes('confirmPaid') ?? false;
  const notice = order && notToPay(order, payouts);
  return (
    <Sheet
      whole
      title={fill(payouts.hand.claimed, { orderCode })}
      onClose={onClose}
      foot={
        mayConfirm && (
          <button type="submit" form={formId} className={styles['primary']} aria-busy={busy}>
            {actions.confirmPaid}
          </button>
        )
      }
    >
      {order ? (
        <>
          <div className={styles['line']}>
            <span className={`figures ${styles['amount']}`}>{moneyText(order.amount, order.currency)}</span>
            <ClaimClock until={order.claimExpireTime} />
          </div>
          {notice !== undefined && (
            <p role="status" className={styles['waits']}>
              {notice}
            </p>
          )}
          <PayeeRows order={order} />
          {notice === undefined && <UpiWays order={order} />}
          {mayConfirm && (
            <UtrForm
              id={formId}
              order={order}
              onBusy={setBusy}
              onPaid={() => {
                onChanged();
                onClose();
              }}
            />
          )}
          <div className={styles['others']}>
            {(['cancelClaim', 'reject'] as const)
              .filter((kind) => order.actions.includes(kind) && !order.handBackWaits)
              .map((kind) => (
                <button key={kind} type="button" className={styles['plain']} onClick={() => setAsking(kind)}>
                  {actions[kind]}
                </button>
              ))}
          </div>
          {asking && (
            <GiveBack
              kind={asking}
              order={order}
              onChanged={onChanged}
              onClose={() => setAsking(undefined)}
            />
          )}
        </>
      ) : (
        <p role="status">{payouts.hand.gone}</p>
      )}
    </Sheet>
  );
}
