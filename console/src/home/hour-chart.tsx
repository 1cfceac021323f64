import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './home.module.css';

interface HourChartProps {
  readonly label: string;
  /** 24 values each, null where there is none. `today` ends with the current hour. */
  readonly today: readonly (number | null)[];
  readonly yesterday: readonly (number | null)[];
  readonly format: (value: number) => string;
  /** Opens the orders behind today's number of an hour. The same for the keyboard is in HourTable. */
  readonly onOpen: (hour: number) => void;
}

const WIDTH = 720;
const HEIGHT = 200;
const LEFT = 8;
const BOTTOM = 20;
const TOP = 8;
const HOURS = 24;
const SLOT = (WIDTH - LEFT) / HOURS;

/** The next round number at or above `value`, for the top of the scale. */
function ceiling(value: number): number {
  if (value <= 4) return 4;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value) ?? 10) * power;
}

/** Today as bars and yesterday as a line, hour by hour. */
export function HourChart({ label, today, yesterday, format, onOpen }: HourChartProps) {
  const { t } = useTranslation();
  const [hovered, setHovered] = useState<number>();
  const top = ceiling(Math.max(...today.map(Number), ...yesterday.map(Number)));
  const told = (value: number | null | undefined) => (typeof value === 'number' ? format(value) : '–');
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / top);
  const x = (hour: number) => LEFT + SLOT * hour;
  // A null ends the line. A single hour between two nulls is drawn as a dot.
  const line = yesterday
    .map((value, hour) => {
      if (value === null) return '';
      const point = `${x(hour) + SLOT / 2} ${y(value)}`;
      return typeof yesterday[hour - 1] === 'number' ? `L${point}` : `M${point}h0`;
    })
    .join('');

  return (
    <div className={styles['chart']} onMouseLeave={() => setHovered(undefined)}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} preserveAspectRatio="none">
        {[0.25, 0.5, 0.75, 1].map((part) => (
          <line
            key={part}
            x1={LEFT}
            x2={WIDTH}
            y1={y(top * part)}
            y2={y(top * part)}
            className={styles['grid']}
          />
        ))}
        <line x1={LEFT} x2={WIDTH} y1={y(0)} y2={y(0)} className={styles['axis']} />
        {hovered !== undefined && (
          <rect
            x={x(hovered)}
            y={TOP}
            width={SLOT}
            height={HEIGHT - TOP - BOTTOM}
            className={styles['hovered']}
          />
        )}
        {today.map(
          (value, hour) =>
            value !== null && (
              <rect
                key={hour}
                x={x(hour) + SLOT * 0.2}
                width={SLOT * 0.6}
                y={y(value)}
                height={y(0) - y(value)}
                rx={1.5}
                className={styles['bar']}
              />
            ),
        )}
        <path d={line} className={styles['line']} strokeLinecap="round" vectorEffect="non-scaling-stroke" />
        {Array.from({ length: HOURS }, (_, hour) => (
          <rect
            key={hour}
            x={x(hour)}
            y={0}
            width={SLOT}
            height={HEIGHT}
            fill="transparent"
            className={today[hour] ? styles['opens'] : undefined}
            onMouseEnter={() => setHovered(hour)}
            onClick={() => today[hour] && onOpen(hour)}
          />
        ))}
      </svg>
      <div className={styles['hours']} aria-hidden>
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour} style={{ left: `${(x(hour) / WIDTH) * 100}%` }}>
            {t('home.hour', { hour })}
          </span>
        ))}
      </div>
      <span className={styles['scale']} aria-hidden>
        {format(top)}
      </span>
      {hovered !== undefined && (
        <div
          className={styles['tip']}
          style={
            hovered < HOURS / 2
              ? { left: `${(x(hovered + 1) / WIDTH) * 100}%` }
              : { right: `${100 - (x(hovered) / WIDTH) * 100}%` }
          }
        >
          <strong>{t('home.hour', { hour: hovered })}</strong>
          <span>
            {t('home.today')} {told(today[hovered])}
          </span>
          <span>
            {t('home.yesterday')} {told(yesterday[hovered])}
          </span>
        </div>
      )}
    </div>
  );
}
