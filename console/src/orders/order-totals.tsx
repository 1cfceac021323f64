import { useTranslation } from 'react-i18next';
import type { Call } from 'virtual:endpoints';
import { Sums } from '../figures/sums.tsx';
import type { TotalsProps } from '../operator-table/list-definition.ts';
import { type StatusSummary, useStatusSummary } from './use-status-summary.ts';

type OrderTotalsProps<Input> = TotalsProps<Input> & {
  readonly call: Call<Input, StatusSummary>;
};

/** The number of orders that the filters find, and their sums: those of the status cards, or of the chosen statuses. */
export function OrderTotals<Input>({ call, chosen, children, ...props }: OrderTotalsProps<Input>) {
  const { t } = useTranslation();
  const summary = useStatusSummary(call, props);
  if (!summary) return children(undefined, null);
  const wanted = chosen?.split(',').map(Number);
  const found = summary.list.filter(({ orderStatusId }) => wanted?.includes(orderStatusId) ?? true);
  const count = found.reduce((total, each) => total + each.count, 0);
  return children(
    count,
    count === 0 ? null : (
      <Sums
        label={t('list.totals')}
        amounts={found.map(({ amount, currency }) => ({ minor: amount, currency }))}
      />
    ),
  );
}
