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
  /** What will have happened once this is confirmed. */
  readonly consequence: string;
  readonly okText: string;
  readonly children?: ReactNode;
  /** As DecisionDialog has it. */
  readonly explain?: (refusal: CallError) => ReactNode;
  /** As DecisionDialog has it. */
  readonly onConfirm: () => Promise<boolean>;
  readonly onClose: () => void;
}

/** A decision about an order: states its code and its amount. */
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
            // What came in is what is moved, such as taken back; before that, what is asked for.
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
