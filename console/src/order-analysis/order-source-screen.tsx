import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import {
  SOURCE_GROUPS,
  SOURCE_STEPS,
  type SourceDimension,
  sourceCellText,
} from '@sangam/contract/order-source.ts';
import { Money } from '../figures/money.tsx';
import type { InputOf, RowOf } from '../http/call-types.ts';
import type { PageProps } from '../navigation/page-props.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useTitles } from '../navigation/use-titles.ts';
import type { ListColumn, ListDefinition } from '../operator-table/list-definition.ts';
import { ListLink } from '../operator-table/list-link.tsx';
import { ListScreen } from '../operator-table/list-screen.tsx';
import { periodTimes } from '../operator-table/period.ts';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { SourceFunnel } from './source-funnel.tsx';
import { type SourceGroup, useSourceNames } from './source-names.ts';

type SourceCall = typeof endpoints.orderSource.getOrderSource;
type Source = RowOf<SourceCall>;

const PERIOD = 't';
const BY = 'by';
const MERCHANT = 'm';

/** Reads from the address what the numbers of the list count. */
function useAsked() {
  const { search } = useTabLocation();
  const query = new URLSearchParams(search);
  const { startTime, endTime } = periodTimes(query.get(PERIOD) ?? undefined, new Date());
  const today = periodTimes('today', new Date()).startTime;
  const by = SOURCE_GROUPS.find((group) => group === query.get(BY)) ?? 'merchant';
  const period = { from: startTime.slice(0, 10), to: (endTime ?? today).slice(0, 10) };
  return { by, period, merchantId: query.get(MERCHANT) ?? undefined };
}

/** Filters of the list of orders that show the orders behind a number. */
function filtersOf(
  { by, period, merchantId }: ReturnType<typeof useAsked>,
  { value, currency }: Source,
  reached: number,
) {
  const days = by === 'day' ? { from: value, to: value } : period;
  const of =
    by === 'merchant' || by === 'day' ? undefined : { dimension: by satisfies SourceDimension, value };
  const merchant = by === 'merchant' ? value : merchantId;
  return {
    source: sourceCellText({ ...days, currency, reached, of }),
    period: `${days.from} 00:00:00~${days.to} 23:59:59`,
    ...(merchant && { merchantId: merchant }),
  };
}

function useColumns(asked: ReturnType<typeof useAsked>): readonly ListColumn<Source>[] {
  const { t, i18n } = useTranslation();
  const nameOf = useSourceNames();
  const number = new Intl.NumberFormat(i18n.language);
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  return [
    {
      key: 'name',
      title: t(`source.by.${asked.by}`),
      names: true,
      render: (row) => nameOf(asked.by, row),
    },
    { key: 'currency', title: t('source.currency'), render: ({ currency }) => currency },
    ...SOURCE_STEPS.map((step, reached): ListColumn<Source> => ({
      key: step,
      title: t(`source.step.${step}`),
      align: 'right',
      render: (row) => (
        <ListLink list="collectionOrders" filters={filtersOf(asked, row, reached)}>
          {number.format(row[step])}
        </ListLink>
      ),
    })),
    {
      key: 'share',
      title: t('source.rate'),
      align: 'right',
      // Left out of an export, which has the two numbers that it is computed from.
      parts: [],
      render: ({ paid, created }) => percent.format(paid / created),
    },
    {
      key: 'amount',
      title: t('orders.amount'),
      align: 'right',
      render: (row) => <Money minor={row.amount} currency={row.currency} />,
    },
    {
      key: 'paidAmount',
      title: t('orders.received'),
      align: 'right',
      render: (row) => <Money minor={row.paidAmount} currency={row.currency} />,
    },
  ];
}

/** The sources of orders, and how the orders ended. */
export function OrderSourceScreen({ screen }: PageProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const { merchants } = useFilterOptions('in');
  const asked = useAsked();
  const definition: ListDefinition<Source, InputOf<SourceCall>> = {
    name: 'orderSource',
    title: title(screen),
    call: endpoints.orderSource.getOrderSource,
    keyOf: ({ value, currency }) => `${value}/${currency}`,
    emptyText: t('source.none'),
    Cards: SourceFunnel,
    cardsFilter: 'by',
    filters: [
      {
        name: 'by',
        param: BY,
        kind: 'choice',
        label: t('source.byLabel'),
        pinned: true,
        values: SOURCE_GROUPS,
        options: SOURCE_GROUPS.map((group: SourceGroup) => ({
          value: group,
          label: t(`source.by.${group}`),
        })),
      },
      { name: 'period', param: PERIOD, kind: 'period', label: t('list.period') },
      {
        name: 'merchantId',
        param: MERCHANT,
        kind: 'digits',
        label: t('orders.merchant'),
        options: merchants,
        pinned: true,
      },
    ],
    columns: useColumns(asked),
  };
  return <ListScreen definition={definition} />;
}
