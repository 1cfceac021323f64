import { useEffect, useState } from 'preact/hooks';
import { formatRemaining, untilNextSecond } from './countdown.ts';
import { useLanguage } from './language.tsx';

const LAST_MINUTE_MS = 60_000;
/** Timers may fire a little early; the deadline would then not have passed yet. */
const TIMER_SLACK_MS = 20;

/** Whether the deadline (on the `performance.now` clock) has passed; redraws when it does. */
export function usePast(deadline: number): boolean {
  const [, redraw] = useState({});
  useEffect(() => {
    const remaining = deadline - performance.now();
    if (remaining <= 0) return undefined;
    const timer = setTimeout(() => redraw({}), remaining + TIMER_SLACK_MS);
    return () => clearTimeout(timer);
  }, [deadline]);
  return performance.now() >= deadline;
}

export function CountdownClock({ deadline }: { deadline: number }) {
  const { t } = useLanguage();
  const [, redraw] = useState({});
  const remaining = deadline - performance.now();
  const lastMinute = remaining <= LAST_MINUTE_MS;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const tick = (): void => {
      redraw({});
      const left = deadline - performance.now();
      if (left > 0) timer = setTimeout(tick, untilNextSecond(left));
    };
    tick();
    return () => clearTimeout(timer);
  }, [deadline]);
  return (
    <p class={lastMinute ? 'countdown last-minute' : 'countdown'}>
      <span>{t('timeLeft')}</span> <span role="timer">{formatRemaining(remaining)}</span>
      <span class="unseen" role="status">
        {lastMinute ? t('oneMinuteLeft') : ''}
      </span>
    </p>
  );
}
