import { useTranslation } from 'react-i18next';
import { parseTime } from '@sangam/contract/time.ts';
import styles from './performance.module.css';

const WIDTH = 720;
const HEIGHT = 48;
const MINUTE_MS = 60_000;

interface MinuteBarsProps {
  readonly label: string;
  readonly from: string;
  readonly minutes: number;
  /** Only minutes with a count above zero. */
  readonly values: readonly { readonly time: string; readonly count: number }[];
}

/** Events per minute as bars. The number beside them is the value of the tallest bar. */
export function MinuteBars({ label, from, minutes, values }: MinuteBarsProps) {
  const { t, i18n } = useTranslation();
  const number = new Intl.NumberFormat(i18n.language);
  const most = Math.max(1, ...values.map(({ count }) => count));
  const total = values.reduce((sum, { count }) => sum + count, 0);
  const start = parseTime(from)?.getTime() ?? 0;
  const step = WIDTH / minutes;
  const at = (time: string) => (((parseTime(time)?.getTime() ?? start) - start) / MINUTE_MS) * step;
  return (
    <figure className={styles['flow']}>
      <figcaption>
        {label}
        <strong className="figures">{number.format(total)}</strong>
        <span className="figures">{t('performance.most', { value: number.format(most) })}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
        {values.map(({ time, count }) => {
          const height = (count / most) * HEIGHT;
          return (
            <rect
              key={time}
              x={at(time)}
              y={HEIGHT - height}
              width={Math.max(step - 0.5, 0.5)}
              height={height}
            />
          );
        })}
      </svg>
    </figure>
  );
}
