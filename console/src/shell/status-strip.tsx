import { WarningOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { screenFor } from '@sangam/contract/screens.ts';
import { useCall } from '../http/use-call.ts';
import { useChanges } from '../realtime/use-changes.ts';
import { useMayCall } from '../session/may-call.ts';
import { useViewer } from '../session/viewer.ts';
import styles from './shell.module.css';

const EVERY_MS = 60_000;

/** Shows what is down now, with a link to the screen where it is fixed. Draws nothing while everything works. */
export function StatusStrip({ onGo }: { readonly onGo: (path: string, query?: string) => void }) {
  const { t } = useTranslation();
  const { access } = useViewer();
  const seesAlerts = useMayCall()(endpoints.alert.getAlerts);
  const alerts = useCall(
    endpoints.alert.getAlerts,
    { open: true, severity: 'critical', acknowledged: false },
    { everyMs: EVERY_MS, enabled: seesAlerts },
  );
  useChanges('alert', () => void (seesAlerts && alerts.refetch()));
  const home = useCall(endpoints.home.getHome, {}, { everyMs: EVERY_MS, keepPrevious: true });
  const [first] = alerts.data?.list ?? [];
  const more = (alerts.data?.total ?? 0) - 1;
  const accounts = home.data?.accounts;
  const silent = accounts ? accounts.open - accounts.online : 0;
  const alertScreen = screenFor(access, 'systemAlerts');
  const accountScreen = screenFor(access, 'systemMonitorScripts') ?? screenFor(access, 'receivingAccounts');
  const lines = [
    first &&
      alertScreen && {
        key: 'alert',
        text: more > 0 ? `${first.text} ${t('status.more', { count: more })}` : first.text,
        go: () => onGo(alertScreen.path, '?o=true&s=critical'),
      },
    // One silent monitor is normal; half of them is not.
    accounts &&
      silent * 2 > accounts.open &&
      accountScreen && {
        key: 'accounts',
        text: t('status.silent', { silent, open: accounts.open }),
        go: () => onGo(accountScreen.path),
      },
  ].filter((line) => line !== undefined && line !== null && line !== false);
  if (lines.length === 0) return null;
  return (
    <div className={styles['strip']} role="status">
      {lines.map(({ key, text, go }) => (
        <span key={key}>
          <WarningOutlined aria-hidden /> {text}{' '}
          <button type="button" onClick={go}>
            {t('status.look')}
          </button>
        </span>
      ))}
    </div>
  );
}
