import { useTranslation } from 'react-i18next';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { useNames } from '../language/names.ts';
import type { ListColumn } from '../operator-table/list-definition.ts';
import { productLabel } from '../language/product-label.ts';
import type { AnyOrder, StatusTable } from './order.ts';
import type { OrderVisibility } from './order-visibility.ts';
import { OrderStatus } from './order-status.tsx';

/** A column, and whether this viewer may see it. */
export type SightedColumn<Row> = ListColumn<Row> & { readonly shown?: boolean };

/** The columns of orders of both directions, with a direction's own columns inserted where they belong. */
export function useOrderColumns<Row extends AnyOrder>(
  visibility: OrderVisibility,
  statuses: StatusTable,
  own: {
    readonly afterAmount?: readonly SightedColumn<Row>[];
    readonly afterSupplier: readonly SightedColumn<Row>[];
    readonly last: readonly SightedColumn<Row>[];
  },
): readonly ListColumn<Row>[] {
  const { t } = useTranslation();
  const name = useNames();
  const columns: readonly SightedColumn<Row>[] = [
    {
      key: 'orderCode',
      title: t('orders.orderCode'),
      names: true,
      render: (order) => <Copyable text={order.orderCode} limit={20} />,
    },
    {
      key: 'createTime',
      title: t('orders.createTime'),
      render: (order) => <Moment time={order.createTime} />,
    },
    {
      key: 'status',
      field: 'orderStatusId',
      words: statuses.names,
      title: t('orders.status'),
      render: (order) => <OrderStatus order={order} statuses={statuses} />,
    },
    {
      key: 'amount',
      title: t('orders.amount'),
      align: 'right',
      render: (order) => <Money minor={order.amount} currency={order.currency} strong />,
    },
    ...(own.afterAmount ?? []),
    {
      key: 'fee',
      title: t('orders.fee'),
      align: 'right',
      optional: visibility.merchants,
      shown: visibility.fees,
      render: (order) => <Money minor={order.fee} currency={order.currency} />,
    },
    {
      key: 'commission',
      field: 'supplierCommission',
      title: t('orders.commission'),
      align: 'right',
      optional: visibility.merchants,
      shown: visibility.commissions,
      render: (order) => <Money minor={order.supplierCommission} currency={order.currency} />,
    },
    {
      key: 'merchant',
      field: 'merchantName',
      title: t('orders.merchant'),
      shown: visibility.merchants,
      render: (order) => order.merchantName,
    },
    {
      key: 'mchOrderNo',
      title: t('orders.mchOrderNo'),
      render: (order) => <Copyable text={order.mchOrderNo} limit={16} />,
    },
    {
      key: 'product',
      field: 'productName',
      title: t('orders.product'),
      render: (order) => productLabel(name, order.productId, order.productName),
    },
    {
      key: 'supplier',
      field: 'supplierName',
      title: t('orders.supplier'),
      shown: visibility.suppliers,
      render: (order) => order.supplierName ?? '–',
    },
    ...own.afterSupplier,
    { key: 'utr', title: 'UTR', render: (order) => <Copyable text={order.utr} limit={14} /> },
    ...own.last,
    {
      key: 'mark',
      field: 'orderMark',
      words: 'orderMark',
      title: t('orders.mark'),
      optional: true,
      render: (order) => name('orderMark', order.orderMark),
    },
    {
      key: 'ipAddress',
      title: t('orders.ipAddress'),
      optional: true,
      shown: visibility.origin,
      render: (order) => order.ipAddress ?? '–',
    },
  ];
  return columns.filter((column) => column.shown ?? true);
}
