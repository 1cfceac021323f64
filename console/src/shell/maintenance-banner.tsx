import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pickLocale } from '@sangam/contract/locale.ts';
import { endpoints } from 'virtual:endpoints';
import styles from '../appearance/notice.module.css';
import { useCall } from '../http/use-call.ts';

const EVERY_MS = 15_000;
const clock = (seconds: number) =>
  [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');

/** Maintenance mode that is on or announced, with the remaining time. */
export function MaintenanceBanner() {
  const { t, i18n } = useTranslation();
  const { data, dataUpdatedAt } = useCall(
    endpoints.maintenance.getMaintenanceMode,
    {},
    { everyMs: EVERY_MS },
  );
  const mode = data?.mode;
  const passed = useSecondsSince(dataUpdatedAt, Boolean(mode));
  if (!mode) return null;
  const beginsIn = mode.beginsIn - passed;
  const endsIn = mode.endsIn - passed;
  if (endsIn <= 0) return null;
  const text = mode.texts[pickLocale(i18n.language)];
  return (
    <div className={styles['offline']} role="status">
      {text}{' '}
      <span className="figures" aria-live="off">
        {beginsIn > 0
          ? t('shell.maintenanceBegins', { span: clock(beginsIn) })
          : t('shell.maintenanceEnds', { span: clock(endsIn) })}
      </span>
    </div>
  );
}

/** Whole seconds since a moment, counted only while `counts` is true. */
function useSecondsSince(moment: number, counts: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!counts) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [counts]);
  return Math.max(0, Math.floor((now - moment) / 1000));
}
