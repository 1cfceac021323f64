import { screenFor } from '@sangam/contract/screens.ts';
import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { TextButton } from '../figures/text-button.tsx';
import type { RowOf } from '../http/call-types.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { listQuery } from '../operator-table/list-links.ts';
import { useViewer } from '../session/viewer.ts';
import { ordersOf } from './orders-of-alert.ts';

type Alert = RowOf<typeof endpoints.alert.getAlerts>;

/** A link from an alert about a rate to the list of its orders. */
export function AlertOrders({ alert }: { readonly alert: Alert }) {
  const { t } = useTranslation();
  const { openTab } = useTabLocation();
  const { access } = useViewer();
  const filters = ordersOf(alert);
  const path = screenFor(access, 'collectionOrders')?.path;
  if (!filters || path === undefined) return <>–</>;
  return (
    <TextButton
      text={t('alertList.orders')}
      label={`${t('alertList.orders')} · ${alert.text}`}
      onClick={() => openTab(path, () => listQuery('collectionOrders', filters))}
    />
  );
}
