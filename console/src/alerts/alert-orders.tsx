import { type AlertKind, rateKeyOf } from '@sangam/contract/alerts.ts';
import { screenFor } from '@sangam/contract/screens.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { TextButton } from '../figures/text-button.tsx';
import type { RowOf } from '../http/call-types.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { listQuery, type LinkFilters } from '../operator-table/list-links.ts';
import { useViewer } from '../session/viewer.ts';

type Alert = RowOf<typeof endpoints.alert.getAlerts>;

const OF_RATES: readonly AlertKind[] = ['successRateFall', 'timeToPayDoubled', 'accountAlone'];
const MINUTE_MS = 60_000;
/** The server's watch over rates looks back this far. */
const BEFORE = 45 * MINUTE_MS;
const AFTER = 15 * MINUTE_MS;

/** The orders that stayed unpaid or were paid late when the alert was raised; undefined for alerts of other kinds. */
function ordersOf({ kind, subject, openTime }: Alert): LinkFilters<'collectionOrders'> | undefined {
  if (!OF_RATES.includes(kind)) return undefined;
  const opened = parseTime(openTime)!.getTime();
  const moment = (ms: number) => formatTime(new Date(opened + ms));
  const period = `${moment(-BEFORE)}~${moment(AFTER)}`;
  if (kind === 'accountAlone') return { period, resourceId: subject };
  const key = rateKeyOf(subject);
  if (!key) return undefined;
  const { currency, id } = key;
  if (key.kind === 'merchant') return { period, currency, merchantId: id };
  return key.kind === 'bank' ? { period, currency, bank: id } : { period, currency, productId: id };
}

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
