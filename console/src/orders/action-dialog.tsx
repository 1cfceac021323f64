import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import type { CallError } from '../http/call-error.ts';
import { Money } from '../figures/money.tsx';
import type { AnyOrder } from './order.ts';
import styles from './orders.module.css';

interface ActionDialogProps {
  readonly title: string;
  readonly order: AnyOrder & {
    readonly payableAmount?: number | null;
    readonly currentReceivedMoney?: number | null;
  };
  /** What the action will do, as one sentence. */
  readonly consequence: string;
  readonly okText: string;
  readonly children?: ReactNode;
  /** See DecisionDialog. */
  readonly explain?: (refusal: CallError) => ReactNode;
  /** See DecisionDialog. */
  readonly onConfirm: () => Promise<boolean>;
  readonly onClose: () => void;
}

/** A decision about an order. The dialog states the order's code and amount. */
export function ActionDialog({ order, children, ...decision }: ActionDialogProps) {
  const { t } = useTranslation();
  return (
    <DecisionDialog {...decision}>
      <dl className={styles['subject']}>
        <dt>{t('orders.orderCode')}</dt>
        <dd className="figures">{order.orderCode}</dd>
        <dt>{t('orders.amount')}</dt>
        <dd className={styles['subjectAmount']}>
          <Money
            // The received amount, which is what an action such as a reversal moves; before a payment, the amount asked for.
            minor={order.currentReceivedMoney ?? order.payableAmount ?? order.amount}
            currency={order.currency}
            strong
          />
        </dd>
      </dl>
      {children}
    </DecisionDialog>
  );
}
