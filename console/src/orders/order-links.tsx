import { useTranslation } from 'react-i18next';
import { screenFor } from '@sangam/contract/screens.ts';
import { orderPath } from '../navigation/place.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useViewer } from '../session/viewer.ts';
import styles from './orders.module.css';

interface OrderLinkProps {
  readonly code: string;
  readonly area: 'collectionOrders' | 'payoutOrders';
}

/** The code of an order as a link that opens the order's tab; plain text where the viewer has no such list. */
export function OrderLink({ code, area }: OrderLinkProps) {
  const { openTab } = useTabLocation();
  const list = screenFor(useViewer().access, area);
  if (!list) return <span>{code}</span>;
  const path = orderPath(list.path, code);
  return (
    <a
      className="figures"
      href={path}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        openTab(path);
      }}
    >
      {code}
    </a>
  );
}

interface OrderLinksProps {
  readonly codes: readonly string[];
  /** How many orders there are. It may exceed the number of codes. */
  readonly count: number;
}

/** Codes of collection orders as links; each opens its order's tab. */
export function OrderLinks({ codes, count }: OrderLinksProps) {
  const { t } = useTranslation();
  return (
    <span className={styles['codes']}>
      {codes.map((code) => (
        <OrderLink key={code} code={code} area="collectionOrders" />
      ))}
      {count > codes.length && <span>{t('audit.more', { count: count - codes.length })}</span>}
    </span>
  );
}
