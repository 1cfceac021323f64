/** @jsxImportSource preact */
import { usePhone } from './context.ts';
import styles from './phone.module.css';
import { fill } from './texts.ts';
import type { Slip } from './use-slip.ts';

interface SlipFieldProps {
  readonly slip: Slip;
  /** How many slips the payout had before. */
  readonly before: number;
}

/** Adds a picture of the bank's receipt, from the phone's pictures or its camera. */
export function SlipField({ slip, before }: SlipFieldProps) {
  const { hand } = usePhone().texts.payouts;
  const { isSending, isUnsent, problem } = slip;
  const count = slip.slips ?? before;
  const mayRepeat = isUnsent && !isSending;
  return (
    <div className={styles['field']}>
      {mayRepeat ? (
        <button type="button" className={styles['plain']} onClick={() => void slip.again()}>
          {hand.slipAgain}
        </button>
      ) : (
        <label className={`${styles['plain']} ${styles['choice']}`} aria-busy={isSending}>
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp"
            disabled={isSending}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) void slip.choose(file);
              currentTarget.value = '';
            }}
          />
          {isSending ? hand.slipSending : hand.addSlip}
        </label>
      )}
      <p role="status" className={styles['soft']}>
        {count > 0 ? fill(hand.slipCount, { count }) : hand.slipHint}
      </p>
      {problem !== undefined && (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
    </div>
  );
}
