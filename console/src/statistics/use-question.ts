import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import type { Direction } from '@sangam/contract/products.ts';
import type { Screen } from '@sangam/contract/screens.ts';
import { CURRENCIES } from '@sangam/contract/money.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { FILINGS, type Grouping, groupingsOf } from '@sangam/contract/statistics.ts';
import type { InputOf } from '../http/call-types.ts';
import { useNames } from '../language/names.ts';
import type { FilterField } from '../operator-table/list-definition.ts';
import { filterInput, type FilterName } from '../operator-table/list-state.ts';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { type ListControl, useListState } from '../operator-table/use-list-state.ts';
import { isStaff, useViewer } from '../session/viewer.ts';
import { DRILL_PARAMS } from './drill-link.ts';

export type Input = InputOf<typeof endpoints.statistics.getTable>;

export interface AskedQuestion {
  readonly direction: Direction;
  readonly input: Input;
  readonly groupBy: Grouping;
  readonly fields: readonly FilterField<FilterName<Input>>[];
  readonly control: ListControl;
}

const PERIODS = ['today', 'yesterday', 'week', 'lastWeek', 'month', 'lastMonth'] as const;

/** Screens by merchant group by merchant at first. */
const isByMerchant = (path: string): boolean => /ByMer/i.test(path);

function useFields(direction: Direction): readonly FilterField<FilterName<Input>>[] {
  const { t } = useTranslation();
  const name = useNames();
  const viewer = useViewer();
  const choices = useFilterOptions(direction);
  const staff = isStaff(viewer);
  return useMemo(() => {
    const choice = (values: readonly string[], label: (value: string) => string) => ({
      kind: 'choice' as const,
      values,
      options: values.map((value) => ({ value, label: label(value) })),
    });
    const { merchants, suppliers, products } = choices;
    return [
      { name: 'period', param: 't', kind: 'period', label: t('list.period'), presets: PERIODS },
      {
        name: 'groupBy',
        param: DRILL_PARAMS.groupBy,
        label: t('statistics.groupBy'),
        pinned: true,
        ...choice(groupingsOf(viewer.access), (value) => t(`statistics.groupings.${value as Grouping}`)),
      },
      {
        name: 'merchantId',
        param: DRILL_PARAMS.merchantId,
        kind: 'digits',
        label: t('orders.merchant'),
        options: merchants,
        shown: staff,
      },
      {
        name: 'supplierId',
        param: DRILL_PARAMS.supplierId,
        kind: 'digits',
        label: t('orders.supplier'),
        options: suppliers,
        shown: staff,
      },
      { name: 'productId', param: 'pr', kind: 'digits', label: t('orders.product'), options: products },
      {
        name: 'bank',
        param: 'bk',
        kind: 'text',
        label: t('statistics.bank'),
        shown: viewer.access !== 'merchant',
      },
      {
        name: 'orderMark',
        param: 'mk',
        label: t('orders.mark'),
        shown: staff,
        ...choice(Object.values(ORDER_MARK).map(String), (value) => name('orderMark', value)),
      },
      {
        name: 'currency',
        param: 'cu',
        label: t('statistics.currency'),
        ...choice(Object.keys(CURRENCIES), (value) => value),
      },
      {
        name: 'scope',
        param: 'sc',
        label: t('statistics.whose'),
        shown: viewer.access === 'supplier',
        ...choice(['own', 'team', 'group'], (value) => t(`statistics.scopes.${value as 'own'}`)),
      },
      {
        name: 'filing',
        param: 'fg',
        label: t('statistics.filing'),
        ...choice(FILINGS, (value) => t(`statistics.filings.${value as 'created'}`)),
      },
    ] satisfies readonly FilterField<FilterName<Input>>[];
  }, [choices, name, staff, t, viewer.access]);
}

/** The question that a statistics screen asks, stored in its tab's address. */
export function useQuestion(screen: Screen, now: Date): AskedQuestion {
  const direction = screen.area === 'payoutStatistics' ? 'out' : 'in';
  const all = useFields(direction);
  const fields = useMemo(() => all.filter(({ shown }) => shown !== false), [all]);
  const control = useListState(fields, undefined, () => undefined);
  const { period = 'today', groupBy, ...filters } = control.state.filters;
  const usual = isByMerchant(screen.path)
    ? 'merchant'
    : period === 'today' || period === 'yesterday'
      ? 'halfHour'
      : 'day';
  const chosen = (groupBy ?? usual) as Grouping;
  return {
    direction,
    groupBy: chosen,
    fields,
    control,
    input: {
      ...filterInput({ ...filters, period }, fields, now),
      groupBy: chosen,
      orderType: direction === 'out' ? 1 : 0,
    } as Input,
  };
}
