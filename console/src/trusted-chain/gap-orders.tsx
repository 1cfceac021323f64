import { Alert, Checkbox, Input, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { NothingYet } from '../figures/details.tsx';
import { PlainTable } from '../figures/plain-table.tsx';
import type { OutputOf } from '../http/call-types.ts';
import type { Gap } from './chain.ts';
import styles from './chain.module.css';

export type GapOrder = OutputOf<typeof endpoints.chain.getGapOrders>['list'][number];
/** Codes of the chosen orders, each with the typed UTR. */
export type Chosen = ReadonlyMap<string, string>;

export const sumOf = (orders: readonly GapOrder[], chosen: Chosen): number =>
  orders.reduce((sum, { orderCode, amount }) => (chosen.has(orderCode) ? sum + amount : sum), 0);

/** A credit that is not booked yet is completed by a UTR. */
export const needsUtr = ({ booked, amount }: GapOrder): boolean => !booked && amount > 0;

interface GapOrdersProps {
  readonly gap: Gap;
  readonly orders: readonly GapOrder[] | undefined;
  readonly failure: string | undefined;
  readonly chosen: Chosen;
  readonly onChange: (chosen: Chosen) => void;
}

/** Orders or payouts that may explain a gap, and how much of the gap the chosen ones cover. */
export function GapOrders({ gap, orders, failure, chosen, onChange }: GapOrdersProps) {
  const { t } = useTranslation();
  if (!orders)
    return failure === undefined ? <Skeleton active /> : <Alert type="error" showIcon title={failure} />;
  if (orders.length === 0) return <NothingYet text={t('chain.noneExplains')} />;
  const put = (code: string, utr: string | undefined) => {
    const next = new Map(chosen);
    if (utr === undefined) next.delete(code);
    else next.set(code, utr);
    onChange(next);
  };
  const sum = sumOf(orders, chosen);
  return (
    <fieldset className={styles['gapOrders']}>
      <legend>{t('chain.orders')}</legend>
      <PlainTable
        rows={orders}
        keyOf={({ orderCode }) => orderCode}
        columns={[
          {
            title: t('orders.orderCode'),
            cell: ({ orderCode }) => (
              <Checkbox
                checked={chosen.has(orderCode)}
                onChange={({ target }) => put(orderCode, target.checked ? '' : undefined)}
              >
                {orderCode}
              </Checkbox>
            ),
          },
          { title: t('orders.createTime'), cell: ({ createTime }) => <Moment time={createTime} exact /> },
          {
            title: t('orders.amount'),
            right: true,
            cell: ({ amount }) => <Money minor={amount} currency={gap.currency} directed />,
          },
          {
            title: 'UTR',
            cell: (order) =>
              needsUtr(order) ? (
                <Input
                  size="small"
                  aria-label={`UTR ${order.orderCode}`}
                  maxLength={64}
                  disabled={!chosen.has(order.orderCode)}
                  value={chosen.get(order.orderCode) ?? ''}
                  onChange={({ target }) => put(order.orderCode, target.value)}
                />
              ) : (
                t('chain.booked')
              ),
          },
        ]}
      />
      <p className={styles['running']} role="status">
        <span>
          {t('chain.chosenSum')} <Money minor={sum} currency={gap.currency} directed strong />
        </span>
        <span>
          {t('chain.stillMissing')} <Money minor={gap.delta - sum} currency={gap.currency} directed strong />
        </span>
      </p>
    </fieldset>
  );
}
