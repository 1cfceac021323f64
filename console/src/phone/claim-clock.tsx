/** @jsxImportSource preact */
import { parseTime } from '@sangam/contract/time.ts';
import { usePhone } from './context.ts';
import styles from './phone.module.css';
import { useNow } from './use-now.ts';

const SECOND = 1_000;
const SOON_MS = 5 * 60 * SECOND;

/** Counts down the seconds to the end of a claim. */
export function ClaimClock({ until }: { readonly until: string | null }) {
  const { hand } = usePhone().texts.payouts;
  const now = useNow(SECOND);
  const end = until === null ? undefined : parseTime(until);
  if (!end) return null;
  const left = end.getTime() - now;
  if (left <= 0) return <strong className={styles['late']}>{hand.over}</strong>;
  const seconds = Math.floor(left / SECOND);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <span
      role="timer"
      aria-label={`${hand.timeLeft} ${text}`}
      className={`figures ${left < SOON_MS ? styles['late'] : ''}`}
    >
      {text}
    </span>
  );
}
