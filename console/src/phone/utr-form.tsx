/** @jsxImportSource preact */
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { payout as calls } from 'virtual:endpoints/payout';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { compactReference, looksLikeUpi, readReference } from '@sangam/contract/references.ts';
import { isHandled } from '../http/call-error.ts';
import { call, messageOf } from './call.ts';
import { usePhone } from './context.ts';
import { PayingAccount } from './paying-account.tsx';
import styles from './phone.module.css';
import { SlipField } from './slip-field.tsx';
import { fill } from './texts.ts';
import { usePaying } from './use-paying.ts';
import { useSlip } from './use-slip.ts';

interface UtrFormProps {
  readonly id: string;
  readonly order: PayoutOrderRow;
  readonly onBusy: (busy: boolean) => void;
  readonly onPaid: () => void;
}

/** How the supplier paid: the account, the UTR and the slip. The submit button is at the bottom of the sheet. */
export function UtrForm({ id, order, onBusy, onPaid }: UtrFormProps) {
  const { orders, payouts } = usePhone().texts;
  const fieldId = useId();
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  // A second tap may come before 'busy' is drawn.
  const sending = useRef(false);
  /** An unusual reference that the supplier was asked to check. Submitting it again sends it. */
  const [doubted, setDoubted] = useState<string>();
  const isUpi = order.vpa !== null;
  const paying = usePaying(order);
  const slip = useSlip(order.orderCode);
  /** Whether the supplier was told that its slip has not been sent. It is told once. */
  const [told, setTold] = useState(false);
  useEffect(() => {
    if (slip.isUnsent) return;
    setTold(false);
    setProblem(undefined);
  }, [slip.isUnsent]);

  const submit = async () => {
    if (sending.current) return;
    const utr = compactReference(typed);
    if (readReference(utr) === null) return setProblem(orders.utrInvalid);
    if (isUpi && !looksLikeUpi(utr) && doubted !== utr) {
      setDoubted(utr);
      return setProblem(fill(payouts.hand.notUpi, { length: utr.length }));
    }
    if (slip.isUnsent && !told) {
      setTold(true);
      return setProblem(payouts.hand.slipUnsent);
    }
    sending.current = true;
    onBusy(true);
    try {
      const account = await paying.known();
      if (account === undefined) return setProblem(payouts.choosePayingAccount);
      const { orderCode, version } = order;
      const from = account === null ? {} : { accountId: account };
      await call(calls.confirmPaid, { orderCode, version, utr, ...from });
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
      className={styles['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <PayingAccount paying={paying} />
      <div className={styles['field']}>
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
      </div>
      <SlipField slip={slip} before={paying.slips} />
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
