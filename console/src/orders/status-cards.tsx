import { useTranslation } from 'react-i18next';
import type { Call } from 'virtual:endpoints';
import { ShortMoney } from '../figures/money.tsx';
import { useNames } from '../language/names.ts';
import type { CardsProps } from '../operator-table/list-definition.ts';
import type { StatusTable } from './order.ts';
import styles from './orders.module.css';
import { type StatusSummary, useStatusSummary } from './use-status-summary.ts';

interface StatusCardsProps<Input> extends CardsProps<Input> {
  readonly call: Call<Input, StatusSummary>;
  readonly statuses: StatusTable;
}

export function StatusCards<Input>(props: StatusCardsProps<Input>) {
  const { t, i18n } = useTranslation();
  const name = useNames();
  const { statuses, chosen, choose } = props;
  const data = useStatusSummary(props.call, props);
  const number = new Intl.NumberFormat(i18n.language);
  const sumsOf = (status: number) => data?.list.filter((sum) => sum.orderStatusId === status) ?? [];
  const count = (status: number) => sumsOf(status).reduce((total, sum) => total + sum.count, 0);

  return (
    <div className={styles['cards']} role="group" aria-label={t('orders.byStatus')}>
      {statuses.sequence.map((status) => {
        const selected = chosen === String(status);
        return (
          <button
            key={status}
            type="button"
            aria-pressed={selected}
            className={[
              styles['card'],
              styles[statuses.tones[status] ?? 'quiet'],
              selected && styles['cardChosen'],
            ]
              .filter(Boolean)
              .join(' ')}
            onClick={() => choose(selected ? undefined : String(status))}
          >
            <span className={styles['cardName']}>{name(statuses.names, status)}</span>
            <span className={styles['cardFigures']}>
              <span className={styles['cardCount']}>{data ? number.format(count(status)) : '–'}</span>
              <span className={styles['cardAmount']}>
                {sumsOf(status).map((sum) => (
                  <ShortMoney key={sum.currency} minor={sum.amount} currency={sum.currency} />
                ))}
              </span>
            </span>
          </button>
        );
      })}
    </div>
  );
}
