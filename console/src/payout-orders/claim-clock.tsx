import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { parseTime } from '@sangam/contract/time.ts';
import styles from './phone.module.css';

const SOON_MS = 5 * 60_000;

/** Counts the seconds to the end of a claim. */
export function ClaimClock({ until }: { readonly until: string | null }) {
  const { t } = useTranslation();
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const end = until === null ? undefined : parseTime(until);
  if (!end) return null;
  const left = end.getTime() - now;
  if (left <= 0) return <strong className={styles['late']}>{t('payouts.hand.over')}</strong>;
  const seconds = Math.floor(left / 1_000);
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <span
      role="timer"
      aria-label={`${t('payouts.hand.timeLeft')} ${text}`}
      className={['figures', left < SOON_MS && styles['late']].filter(Boolean).join(' ')}
    >
      {text}
    </span>
  );
}
