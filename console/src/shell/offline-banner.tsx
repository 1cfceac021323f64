import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import styles from '../appearance/notice.module.css';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

export function OfflineBanner() {
  const { t } = useTranslation();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  return online ? null : (
    <div className={styles['offline']} role="status">
      {t('errors.offlineBanner')}
    </div>
  );
}
