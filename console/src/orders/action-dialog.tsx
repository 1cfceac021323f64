import { CODES } from '@sangam/contract/codes.ts';
import { Alert, App, Modal } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Money } from '../figures/money.tsx';
import { CallError, isHandled } from '../http/call-error.ts';
import styles from './orders.module.css';
import type { AnyOrder } from './order.ts';

interface ActionDialogProps {
  readonly title: string;
  readonly order: AnyOrder & { readonly payableAmount?: number | null };
  /** What will have happened once this is confirmed. */
  readonly consequence: string;
  readonly okText: string;
  readonly children?: ReactNode;
  /** False: the form says what is missing, nothing was sent. A refusal is shown in the dialog, 'needs approval' closes it. */
  readonly onConfirm: () => Promise<boolean>;
  readonly onClose: () => void;
}

/** Where a decision is made: states the order, its amount and the consequence. */
export function ActionDialog({
  title,
  order,
  consequence,
  okText,
  children,
  onConfirm,
  onClose,
}: ActionDialogProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();

  const confirm = async () => {
    setBusy(true);
    setRefusal(undefined);
    try {
      if (await onConfirm()) onClose();
    } catch (error) {
      // Somebody else has to say yes first: nothing is wrong, and nothing has happened yet.
      if (error instanceof CallError && error.code === CODES.approvalNeeded.code) {
        message.info(error.message);
        onClose();
      } else if (!isHandled(error)) setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal
      open
      title={title}
      width={480}
      okText={okText}
      confirmLoading={busy}
      mask={{ closable: false }}
      onOk={() => void confirm()}
      onCancel={onClose}
    >
      <dl className={styles['subject']}>
        <dt>{t('orders.orderCode')}</dt>
        <dd className="figures">{order.orderCode}</dd>
        <dt>{t('orders.amount')}</dt>
        <dd className={styles['subjectAmount']}>
          <Money minor={order.payableAmount ?? order.amount} currency={order.currency} strong />
        </dd>
      </dl>
      {children}
      <p className={styles['consequence']}>{consequence}</p>
      {refusal && <Alert type="error" showIcon title={refusal} />}
    </Modal>
  );
}
