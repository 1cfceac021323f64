import { useTranslation } from 'react-i18next';
import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';
import { Copyable } from '../figures/copyable.tsx';
import { Moment } from '../figures/moment.tsx';
import { Money } from '../figures/money.tsx';
import { useNames } from '../language/names.ts';
import type { ListColumn } from '../operator-table/list-definition.ts';
import { productLabel } from '../operator-table/use-filter-options.ts';
import { OrderRemarks, OrderStatus } from './order-status.tsx';
import type { OrderSight } from './order-sight.ts';

type Column = ListColumn<CollectionOrderRow> & { readonly shown?: boolean };

export function useOrderColumns(sight: OrderSight): readonly ListColumn<CollectionOrderRow>[] {
  const { t } = useTranslation();
  const name = useNames();
  const columns: readonly Column[] = [
    {
      key: 'orderCode',
      title: t('orders.orderCode'),
      names: true,
      render: (order) => <Copyable text={order.orderCode} limit={20} />,
    },
    {
      key: 'status',
      title: t('orders.status'),
      render: (order) => (
        <>
          <OrderStatus status={order.orderStatusId} /> <OrderRemarks order={order} />
        </>
      ),
    },
    {
      key: 'amount',
      title: t('orders.amount'),
      align: 'right',
      render: (order) => <Money minor={order.amount} currency={order.currency} strong />,
    },
    {
      key: 'payable',
      title: t('orders.payable'),
      align: 'right',
      render: (order) => <Money minor={order.payableAmount} currency={order.currency} />,
    },
    {
      key: 'received',
      title: t('orders.received'),
      align: 'right',
      render: (order) => <Money minor={order.currentReceivedMoney} currency={order.currency} />,
    },
    {
      key: 'fee',
      title: t('orders.fee'),
      align: 'right',
      optional: sight.merchants,
      shown: sight.fees,
      render: (order) => <Money minor={order.fee} currency={order.currency} />,
    },
    {
      key: 'commission',
      title: t('orders.commission'),
      align: 'right',
      optional: sight.merchants,
      shown: sight.commissions,
      render: (order) => <Money minor={order.supplierCommission} currency={order.currency} />,
    },
    {
      key: 'merchant',
      title: t('orders.merchant'),
      shown: sight.merchants,
      render: (order) => order.merchantName,
    },
    {
      key: 'mchOrderNo',
      title: t('orders.mchOrderNo'),
      render: (order) => <Copyable text={order.mchOrderNo} limit={16} />,
    },
    {
      key: 'product',
      title: t('orders.product'),
      render: (order) => productLabel(name, order.productId, order.productName),
    },
    {
      key: 'supplier',
      title: t('orders.supplier'),
      shown: sight.suppliers,
      render: (order) => order.supplierName ?? '–',
    },
    {
      key: 'account',
      title: t('orders.account'),
      optional: sight.merchants,
      shown: sight.accounts,
      render: (order) => order.accountName ?? '–',
    },
    { key: 'utr', title: 'UTR', render: (order) => <Copyable text={order.utr} limit={14} /> },
    {
      key: 'createTime',
      title: t('orders.createTime'),
      render: (order) => <Moment time={order.createTime} />,
    },
    {
      key: 'payTime',
      title: t('orders.payTime'),
      optional: true,
      render: (order) => <Moment time={order.payTime} />,
    },
    {
      key: 'identifyCode',
      title: t('orders.identifyCode'),
      optional: true,
      render: (order) => <Copyable text={order.identifyCode} />,
    },
    {
      key: 'userName',
      title: t('orders.userName'),
      optional: true,
      render: (order) => order.userName ?? '–',
    },
    {
      key: 'ipAddress',
      title: t('orders.ipAddress'),
      optional: true,
      shown: sight.origin,
      render: (order) => order.ipAddress ?? '–',
    },
  ];
  return columns.filter((column) => column.shown ?? true);
}
