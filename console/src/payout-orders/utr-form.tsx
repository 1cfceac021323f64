import { Alert, Input, Spin } from 'antd';
import { useId, useRef, useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { looksLikeUpi, normaliseReference, readReference } from '@sangam/contract/references.ts';
import { isHandled } from '../http/call-error.ts';
import { useSend } from '../http/use-send.ts';
import { useUnsavedMark } from '../navigation/unsaved.ts';
import styles from './phone.module.css';

const { payout: calls } = endpoints;

interface UtrFormProps {
  readonly id: string;
  readonly order: PayoutOrderRow;
  readonly onPaid: () => void;
}

/** The reference of the supplier's payment; its button stands at the foot of the sheet. */
export function UtrForm({ id, order, onPaid }: UtrFormProps) {
  const { t } = useTranslation();
  const fieldId = useId();
  const send = useSend(calls.getPayoutList, calls.getPayoutStatusSummary, calls.getPayoutDetail);
  const unsaved = useUnsavedMark();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  // A second touch comes before 'busy' is drawn.
  const sending = useRef(false);
  /** An unusual reference the supplier was asked to check; sent when it is sent again. */
  const [doubted, setDoubted] = useState<string>();
  const isUpi = order.vpa !== null;

  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (sending.current) return;
    const utr = normaliseReference(typed);
    if (readReference(utr) === null) return setProblem(t('orders.utrInvalid'));
    if (isUpi && !looksLikeUpi(utr) && doubted !== utr) {
      setDoubted(utr);
      return setProblem(t('payouts.hand.notUpi', { length: utr.length }));
    }
    sending.current = true;
    setBusy(true);
    try {
      const { orderCode, version } = order;
      const done = t('orders.done', { action: t('actions.confirmPaid'), orderCode });
      await send(calls.confirmPaid, { orderCode, version, utr }, done);
      onPaid();
    } catch (error) {
      if (!isHandled(error)) setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      sending.current = false;
      setBusy(false);
    }
  };

  return (
    <form id={id} className={styles['utr']} onSubmit={(event) => void submit(event)} noValidate {...unsaved}>
      <label htmlFor={fieldId}>{'UTR'}</label>
      <Input
        id={fieldId}
        size="large"
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setProblem(undefined);
        }}
        inputMode={isUpi ? 'numeric' : 'text'}
        enterKeyHint="send"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={80}
        status={problem === undefined ? '' : 'error'}
        aria-invalid={problem !== undefined}
        aria-describedby={`${fieldId}-hint`}
      />
      <p id={`${fieldId}-hint`} className={styles['soft']}>
        {t(isUpi ? 'payouts.hand.utrHintUpi' : 'orders.utrHint')}
      </p>
      {problem !== undefined && <Alert type="error" showIcon title={problem} role="alert" />}
      {busy && <Spin />}
    </form>
  );
}
