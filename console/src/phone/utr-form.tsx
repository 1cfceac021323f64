/** @jsxImportSource preact */
import { useId, useRef, useState } from 'preact/hooks';
import { payout as calls } from 'virtual:endpoints/payout';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { looksLikeUpi, normaliseReference, readReference } from '@sangam/contract/references.ts';
import { isHandled } from '../http/call-error.ts';
import { call, messageOf } from './call.ts';
import { usePhone } from './context.ts';
import styles from './phone.module.css';
import { fill } from './texts.ts';

interface UtrFormProps {
  readonly id: string;
  readonly order: PayoutOrderRow;
  readonly onBusy: (busy: boolean) => void;
  readonly onPaid: () => void;
}

/** The reference of the supplier's payment; its button stands at the foot of the sheet. */
export function UtrForm({ id, order, onBusy, onPaid }: UtrFormProps) {
  const { orders, payouts } = usePhone().texts;
  const fieldId = useId();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  // A second touch comes before 'busy' is drawn.
  const sending = useRef(false);
  /** An unusual reference the supplier was asked to check; sent when it is sent again. */
  const [doubted, setDoubted] = useState<string>();
  const isUpi = order.vpa !== null;

  const submit = async () => {
    if (sending.current) return;
    const utr = normaliseReference(typed);
    if (readReference(utr) === null) return setProblem(orders.utrInvalid);
    if (isUpi && !looksLikeUpi(utr) && doubted !== utr) {
      setDoubted(utr);
      return setProblem(fill(payouts.hand.notUpi, { length: utr.length }));
    }
    sending.current = true;
    onBusy(true);
    try {
      await call(calls.confirmPaid, { orderCode: order.orderCode, version: order.version, utr });
      onPaid();
    } catch (error) {
      if (!isHandled(error)) setProblem(messageOf(error));
    } finally {
      sending.current = false;
      onBusy(false);
    }
  };

  return (
    <form
      id={id}
      className={styles['field']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label htmlFor={fieldId}>{'UTR'}</label>
      <input
        id={fieldId}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setProblem(undefined);
        }}
        inputMode={isUpi ? 'numeric' : 'text'}
        enterKeyHint="send"
        autoComplete="off"
        autoCapitalize="characters"
        spellcheck={false}
        maxLength={80}
        aria-invalid={problem !== undefined}
        aria-describedby={`${fieldId}-hint`}
      />
      <p id={`${fieldId}-hint`} className={styles['soft']}>
        {isUpi ? payouts.hand.utrHintUpi : orders.utrHint}
      </p>
      {problem !== undefined && (
        <p
          role="alert"
          className={styles['problem']}
          ref={(shown) => shown?.scrollIntoView({ block: 'nearest' })}
        >
          {problem}
        </p>
      )}
    </form>
  );
}
