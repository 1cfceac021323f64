import { useTranslation } from 'react-i18next';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import { useNow } from './clock.ts';
import styles from './figures.module.css';
import { dateText, relativeText } from './moment-text.ts';

/** Shown with every exact time: the server sends times of Asia/Kolkata. */
export const ZONE = 'IST';

interface MomentProps {
  /** `YYYY-MM-DD HH:mm:ss` as the server sends it. */
  readonly time: string | null | undefined;
  /** Shows the exact time instead of the relative one, where seconds matter. */
  readonly exact?: boolean;
}

/** The only component that shows times: relative within a day, the exact time on hover. */
export function Moment({ time, exact = false }: MomentProps) {
  const { i18n } = useTranslation();
  const now = useNow();
  const moment = time ? parseTime(time) : undefined;
  if (!time || !moment) return <span className={styles['absent']}>–</span>;
  if (exact) {
    return (
      <time dateTime={moment.toISOString()} className="figures">
        {time}
      </time>
    );
  }
  // With a clock slightly behind the server's, something that just happened would lie in the future.
  const seen = Math.max(now, Math.min(moment.getTime(), now + 60_000));
  return (
    <time dateTime={moment.toISOString()} title={`${time} ${ZONE}`} className="figures">
      {relativeText(moment, seen, i18n.language) ?? dateText(time, formatTime(new Date(now)))}
    </time>
  );
}
