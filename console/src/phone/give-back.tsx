/** @jsxImportSource preact */
import { useId, useState } from 'preact/hooks';
import { payout as calls } from 'virtual:endpoints/payout';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import { CODES } from '@sangam/contract/codes.ts';
import { CallError, isHandled } from '../http/call-error.ts';
import { call, messageOf } from './call.ts';
import { usePhone } from './context.ts';
import styles from './phone.module.css';
import { Sheet } from './sheet.tsx';

interface GiveBackProps {
  readonly kind: 'cancelClaim' | 'reject';
  readonly order: PayoutOrderRow;
  /** Called when the claim was given back, or when giving it back was requested. */
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

/** Asks before a claim is given back. A refusal is shown with its reason. */
export function GiveBack({ kind, order, onChanged, onClose }: GiveBackProps) {
  const { actions, consequence, orders, phone } = usePhone().texts;
  const reasonId = useId();
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string>();
  /** The server's text where a second person has to agree first. */
  const [asked, setAsked] = useState<string>();
  const [busy, setBusy] = useState(false);
  const { id, orderCode, version } = order;

  const submit = async () => {
    if (busy) return;
    if (kind === 'reject' && reason.trim() === '') return setProblem(orders.reasonNeeded);
    setBusy(true);
    try {
      if (kind === 'reject') await call(calls.reject, { orderCode, version, rejectReason: reason.trim() });
      else await call(calls.cancelClaim, { orderId: id, version });
      onChanged();
      onClose();
    } catch (error) {
      if (error instanceof CallError && error.code === CODES.approvalNeeded.code) {
        setAsked(error.message);
        onChanged();
      } else if (!isHandled(error)) setProblem(messageOf(error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Sheet
      title={actions[kind]}
      onClose={onClose}
      foot={
        asked === undefined && (
          <button type="button" className={styles['primary']} aria-busy={busy} onClick={() => void submit()}>
            {actions[kind]}
          </button>
        )
      }
    >
      {asked === undefined ? (
        <p>{kind === 'reject' ? phone.rejectConsequence : consequence.cancelClaim}</p>
      ) : (
        <p role="status">{asked}</p>
      )}
      {kind === 'reject' && asked === undefined && (
        <div className={styles['field']}>
          <label htmlFor={reasonId}>{orders.reason}</label>
          <input
            id={reasonId}
            value={reason}
            maxLength={256}
            aria-invalid={problem !== undefined}
            onInput={({ currentTarget }) => {
              setReason(currentTarget.value);
              setProblem(undefined);
            }}
          />
        </div>
      )}
      {problem !== undefined && (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
    </Sheet>
  );
}
