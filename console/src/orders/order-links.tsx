import { useTranslation } from 'react-i18next';
import { screenFor } from '@sangam/contract/screens.ts';
import { orderPath } from '../navigation/place.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useViewer } from '../session/viewer.ts';
import styles from './orders.module.css';

interface OrderLinksProps {
  readonly codes: readonly string[];
  /** How many there are; more than are named. */
  readonly count: number;
}

/** Codes of orders as links, each of which opens its order's tab. */
export function OrderLinks({ codes, count }: OrderLinksProps) {
  const { t } = useTranslation();
  const { openTab } = useTabLocation();
  const viewer = useViewer();
  const list = screenFor(viewer.access, 'collectionOrders');
  return (
    <span className={styles['codes']}>
      {codes.map((code) =>
        list ? (
          <a
            key={code}
            className="figures"
            href={orderPath(list.path, code)}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              openTab(orderPath(list.path, code));
            }}
          >
            {code}
          </a>
        ) : (
          <span key={code}>{code}</span>
        ),
      )}
      {count > codes.length && <span>{t('audit.more', { count: count - codes.length })}</span>}
    </span>
  );
}
