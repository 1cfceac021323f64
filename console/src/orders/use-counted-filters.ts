import { useTranslation } from 'react-i18next';
import { CURRENCIES } from '@sangam/contract/money.ts';
import type { Direction } from '@sangam/contract/products.ts';
import { COUNTED, FILINGS, type Measure, MEASURES } from '@sangam/contract/statistics.ts';
import type { FilterField } from '../operator-table/list-definition.ts';
import { LINK_PARAMS } from '../operator-table/list-links.ts';
import { useViewer } from '../session/viewer.ts';
import { choiceOf } from './choice-of.ts';
import type { OrderVisibility } from './order-visibility.ts';

type CountedFilter =
  | 'currency'
  | 'bank'
  | 'counted'
  | 'filing'
  | 'countedScope'
  | 'weekday'
  | 'halfHour'
  | 'payBucket';

const PARAMS = LINK_PARAMS.collectionOrders;
const WEEK = [1, 2, 3, 4, 5, 6, 7];

/** Filters that show the orders behind a number of the statistics. */
export function useCountedFilters(
  visibility: OrderVisibility,
  direction: Direction,
): readonly FilterField<CountedFilter>[] {
  const { t, i18n } = useTranslation();
  const { access } = useViewer();
  const weekday = (day: number) =>
    new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' }).format(
      Date.UTC(2024, 0, day),
    );
  const counted = COUNTED.filter((name) =>
    Object.values<Measure>(MEASURES).some(
      (measure) => measure.counted === name && measure.directions.includes(direction),
    ),
  );
  return [
    choiceOf(
      { name: 'currency', param: PARAMS.currency, label: t('orders.currency') },
      Object.keys(CURRENCIES).map((currency) => [currency, currency]),
    ),
    {
      name: 'bank',
      param: PARAMS.bank,
      kind: 'text',
      label: t('statistics.bank'),
      shown: visibility.accounts,
    },
    choiceOf(
      { name: 'counted', param: PARAMS.counted, label: t('orders.counted') },
      counted.map((name) => [
        name,
        name === 'netPaid' ? t('statistics.counted.netPaid') : t(`statistics.measures.${name}.label`),
      ]),
    ),
    choiceOf(
      { name: 'filing', param: PARAMS.filing, label: t('statistics.filing') },
      FILINGS.map((filing) => [filing, t(`statistics.filings.${filing}`)]),
    ),
    {
      ...choiceOf(
        { name: 'countedScope', param: PARAMS.countedScope, label: t('statistics.whose') },
        (['own', 'team', 'group'] as const).map((scope) => [scope, t(`statistics.scopes.${scope}`)]),
      ),
      shown: access === 'supplier',
    },
    choiceOf(
      { name: 'weekday', param: PARAMS.weekday, label: t('orders.weekday') },
      WEEK.map((day) => [String(day), weekday(day)]),
    ),
    { name: 'halfHour', param: PARAMS.halfHour, kind: 'digits', label: t('orders.halfHour') },
    { name: 'payBucket', param: PARAMS.payBucket, kind: 'digits', label: t('orders.payBucket') },
  ];
}
