import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import styles from '../appearance/notice.module.css';
import { call } from '../http/client.ts';
import { useNames } from '../language/names.ts';
import { session } from '../session/session.ts';
import { useViewer } from '../session/viewer.ts';

/**
 * Returns this window to the user's own session, even if the server does not hear of it. The other session then ends by its age
 * limit.
 */
export function leaveSeeing(): void {
  void call(endpoints.user.endSeeAs, {})
    .catch(() => undefined)
    .then(() => {
      session.endSeeing();
      location.assign('/home');
    });
}

/** On every page while this window sees the console as another user. */
export function SeeingBanner() {
  const { t } = useTranslation();
  const name = useNames();
  const viewer = useViewer();
  if (viewer.seenBy === undefined) return null;
  const who = viewer.account === viewer.seenBy ? name('roles', viewer.access) : viewer.account;
  return (
    <div className={styles['seeing']} role="status">
      {t('seeAs.banner', { who, role: name('roles', viewer.access) })}{' '}
      <Button size="small" onClick={leaveSeeing}>
        {t('seeAs.end')}
      </Button>
    </div>
  );
}
