import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import type { CollectionOrderFilters } from '@sangam/contract/endpoints/order.ts';
import type { CollectionStatus } from '@sangam/contract/orders.ts';
import { Money } from '../figures/money.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import type { CardsProps } from '../operator-table/list-definition.ts';
import styles from './collection-orders.module.css';
import { STATUS_ORDER, STATUS_TONES } from './order-status.tsx';

/** Sums over a month of orders: not worth asking for as often as the rows. */
const SUMMARY_MS = 15_000;

export function StatusCards({ input, chosen, choose }: CardsProps<CollectionOrderFilters>) {
  const { t, i18n } = useTranslation();
  const name = useNames();
  const { data } = useCall(endpoints.order.getStatusSummary, input, {
    everyMs: SUMMARY_MS,
    keepPrevious: true,
  });
  const number = new Intl.NumberFormat(i18n.language);
  const sumsOf = (status: CollectionStatus) => data?.list.filter((sum) => sum.orderStatusId === status) ?? [];
  const count = (status: CollectionStatus) => sumsOf(status).reduce((total, sum) => total + sum.count, 0);

  return (
    <div className={styles['cards']} role="group" aria-label={t('orders.byStatus')}>
      {STATUS_ORDER.map((status) => {
        const selected = chosen === String(status);
        return (
          <button
            key={status}
            type="button"
            aria-pressed={selected}
            className={[styles['card'], styles[STATUS_TONES[status]], selected && styles['cardChosen']]
              .filter(Boolean)
              .join(' ')}
            onClick={() => choose(selected ? undefined : String(status))}
          >
            <span className={styles['cardName']} title={name('collectionStatus', status)}>
              {name('collectionStatus', status)}
            </span>
            <span className={styles['cardCount']}>{data ? number.format(count(status)) : '–'}</span>
            <span className={styles['cardAmount']}>
              {sumsOf(status).map((sum) => (
                <Money key={sum.currency} minor={sum.amount} currency={sum.currency} whole />
              ))}
            </span>
          </button>
        );
      })}
    </div>
  );
}
