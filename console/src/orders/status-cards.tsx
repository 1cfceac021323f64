import { useTranslation } from 'react-i18next';
import type { Call } from 'virtual:endpoints';
import type { Currency } from '@sangam/contract/money.ts';
import { ShortMoney } from '../figures/money.tsx';
import { useCall } from '../http/use-call.ts';
import { useNames } from '../language/names.ts';
import type { CardsProps } from '../operator-table/list-definition.ts';
import { useChanges } from '../realtime/use-changes.ts';
import type { StatusTable } from './order.ts';
import styles from './orders.module.css';

interface Summary {
  readonly list: readonly {
    readonly orderStatusId: number;
    readonly currency: Currency;
    readonly count: number;
    readonly amount: number;
  }[];
}

interface StatusCardsProps<Input> extends CardsProps<Input> {
  readonly call: Call<Input, Summary>;
  readonly statuses: StatusTable;
}

export function StatusCards<Input>(props: StatusCardsProps<Input>) {
  const { t, i18n } = useTranslation();
  const name = useNames();
  const { statuses, chosen, choose } = props;
  const { data, refetch } = useCall(props.call, props.input, {
    everyMs: props.everyMs,
    keepPrevious: true,
  });
  useChanges(props.changes, () => void refetch());
  const number = new Intl.NumberFormat(i18n.language);
  const sumsOf = (status: number) => data?.list.filter((sum) => sum.orderStatusId === status) ?? [];
  const count = (status: number) => sumsOf(status).reduce((total, sum) => total + sum.count, 0);

  return (
    <div className={styles['cards']} role="group" aria-label={t('orders.byStatus')}>
      {statuses.sequence.map((status) => {
        const selected = chosen === String(status);
        const label = name(statuses.names, status);
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
            <span className={styles['cardName']} title={label}>
              {label}
            </span>
            <span className={styles['cardCount']}>{data ? number.format(count(status)) : '–'}</span>
            <span className={styles['cardAmount']}>
              {sumsOf(status).map((sum) => (
                <ShortMoney key={sum.currency} minor={sum.amount} currency={sum.currency} />
              ))}
            </span>
          </button>
        );
      })}
    </div>
  );
}
