import { useTranslation } from 'react-i18next';
import type { Call } from 'virtual:endpoints';
import { Sums } from '../figures/sums.tsx';
import type { CardsProps } from '../operator-table/list-definition.ts';
import { type StatusSummary, useStatusSummary } from './use-status-summary.ts';

type OrderTotalsProps<Input> = Omit<CardsProps<Input>, 'choose'> & {
  readonly call: Call<Input, StatusSummary>;
};

/** How many orders all filters find, and what they come to: the sums of the status cards, of the statuses chosen. */
export function OrderTotals<Input>({ call, chosen, ...props }: OrderTotalsProps<Input>) {
  const { t, i18n } = useTranslation();
  const summary = useStatusSummary(call, props);
  if (!summary) return null;
  const wanted = chosen?.split(',').map(Number);
  const found = summary.list.filter(({ orderStatusId }) => wanted?.includes(orderStatusId) ?? true);
  const count = found.reduce((total, each) => total + each.count, 0);
  return (
    <Sums
      label={t('list.totals', { count, rows: new Intl.NumberFormat(i18n.language).format(count) })}
      amounts={found.map(({ amount, currency }) => ({ minor: amount, currency }))}
    />
  );
}
