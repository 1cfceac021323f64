import { type AlertKind, rateKeyOf } from '@sangam/contract/alerts.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import type { LinkFilters } from '../operator-table/list-links.ts';
import { createdIn } from '../orders/counted-orders.ts';

interface Alert {
  readonly kind: AlertKind;
  readonly subject: string;
  readonly openTime: string;
}

const OF_RATES: readonly AlertKind[] = ['successRateFall', 'timeToPayDoubled', 'accountAlone'];
const MINUTE_MS = 60_000;
/** The server's watch over rates looks back this far. */
const BEFORE = 45 * MINUTE_MS;
const AFTER = 15 * MINUTE_MS;

/** The orders that stayed unpaid or were paid late when the alert was raised; undefined for alerts of other kinds. */
export function ordersOf({ kind, subject, openTime }: Alert): LinkFilters<'collectionOrders'> | undefined {
  if (!OF_RATES.includes(kind)) return undefined;
  const opened = parseTime(openTime)!.getTime();
  const moment = (ms: number) => formatTime(new Date(opened + ms));
  const created = createdIn(moment(-BEFORE), moment(AFTER));
  if (kind === 'accountAlone') return { ...created, resourceId: subject };
  const key = rateKeyOf(subject);
  if (!key) return undefined;
  const { currency, id } = key;
  if (key.kind === 'account') return { ...created, currency, resourceId: id };
  if (key.kind === 'merchant') return { ...created, currency, merchantId: id };
  return key.kind === 'bank' ? { ...created, currency, bank: id } : { ...created, currency, productId: id };
}
