import { useTranslation } from 'react-i18next';
import { marksFor } from '@sangam/contract/orders.ts';
import type { CollectionOrderFilters } from '@sangam/contract/endpoints/order.ts';
import type { PayoutOrderFilters } from '@sangam/contract/endpoints/payout.ts';
import type { Direction } from '@sangam/contract/products.ts';
import { useNames } from '../language/names.ts';
import type { FilterField } from '../operator-table/list-definition.ts';
import { LINK_PARAMS } from '../operator-table/list-links.ts';
import type { FilterName } from '../operator-table/list-state.ts';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import type { StatusTable } from './order.ts';
import { choiceOf } from './choice-of.ts';
import { useCountedFilters } from './use-counted-filters.ts';
import type { OrderVisibility } from './order-visibility.ts';

/** Fields in the list input of both directions (contract, sharedFilters). */
type SharedFilter = FilterName<PayoutOrderFilters> & FilterName<CollectionOrderFilters>;

/** The filters that both directions have, and the `own` ones of one direction. `Name`: every filter of the list. */
export function useOrderFilters<Name extends string>(
  visibility: OrderVisibility,
  statuses: StatusTable,
  direction: Direction,
  own: readonly FilterField<Name>[],
): readonly FilterField<Name | SharedFilter>[] {
  const { t } = useTranslation();
  const name = useNames();
  const choices = useFilterOptions(direction);
  const counted = useCountedFilters(visibility, direction);
  return [
    {
      name: 'orderCode',
      param: LINK_PARAMS.collectionOrders.orderCode,
      kind: 'text',
      label: t('orders.orderCode'),
      pinned: true,
    },
    { name: 'merchantOrderId', param: 'mo', kind: 'text', label: t('orders.mchOrderNo'), pinned: true },
    { name: 'utr', param: 'u', kind: 'text', label: 'UTR', pinned: true },
    {
      name: 'orderStatusId',
      param: LINK_PARAMS.collectionOrders.orderStatusId,
      kind: 'choices',
      label: t('orders.status'),
      pinned: true,
      values: statuses.sequence.map(String),
      options: statuses.sequence.map((status) => ({
        value: String(status),
        label: name(statuses.names, status),
      })),
    },
    { name: 'period', param: LINK_PARAMS.collectionOrders.period, kind: 'period', label: t('list.period') },
    {
      name: 'merchantId',
      param: LINK_PARAMS.collectionOrders.merchantId,
      kind: 'digits',
      label: t('orders.merchant'),
      options: choices.merchants,
      shown: visibility.merchants,
    },
    {
      name: 'supplierId',
      param: LINK_PARAMS.collectionOrders.supplierId,
      kind: 'digits',
      label: t('orders.supplier'),
      options: choices.suppliers,
      // An agent filters the orders of its team by supplier.
      shown: visibility.accounts,
    },
    {
      name: 'productId',
      param: LINK_PARAMS.collectionOrders.productId,
      kind: 'digits',
      label: t('orders.product'),
      options: choices.products,
    },
    { name: 'amount', param: 'a', kind: 'amount', label: t('orders.amount') },
    { name: 'amountFrom', param: 'af', kind: 'decimal', label: t('orders.amountFrom') },
    { name: 'amountTo', param: 'at', kind: 'decimal', label: t('orders.amountTo') },
    { name: 'usdtCount', param: 'uc', kind: 'usdt', label: t('orders.usdtCount') },
    ...own,
    choiceOf(
      { name: 'orderMark', param: LINK_PARAMS.collectionOrders.orderMark, label: t('orders.mark') },
      marksFor(visibility.suspicions).map((mark) => [String(mark), name('orderMark', mark)]),
    ),
    choiceOf({ name: 'reversed', param: 'rv', label: t('orders.reversal') }, [
      ['true', t('orders.reversed')],
      ['false', t('orders.notReversed')],
    ]),
    {
      ...choiceOf({ name: 'isProxy', param: 'px', label: t('orders.viaAgent') }, [
        ['true', t('orders.byAgent')],
        ['false', t('orders.notByAgent')],
      ]),
      shown: visibility.merchants,
    },
    {
      name: 'ipAddress',
      param: LINK_PARAMS.collectionOrders.ipAddress,
      kind: 'text',
      label: t('orders.ipAddress'),
      shown: visibility.origin,
    },
    ...counted,
  ];
}
