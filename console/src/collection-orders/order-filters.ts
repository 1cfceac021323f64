import { useTranslation } from 'react-i18next';
import { COLLECTION_STATUS, ORDER_MARK } from '@sangam/contract/orders.ts';
import { useNames } from '../language/names.ts';
import type { FilterField } from '../operator-table/list-definition.ts';
import { useFilterOptions } from '../operator-table/use-filter-options.ts';
import { STATUS_ORDER } from './order-status.tsx';
import type { OrderSight } from './order-sight.ts';

const STATUSES = Object.values(COLLECTION_STATUS).map(String);
const MARKS = Object.values(ORDER_MARK).map(String);

/** Every filter of `collectionOrderFilters`, as far as the viewer has use for it. */
export function useOrderFilters(sight: OrderSight): readonly FilterField[] {
  const { t } = useTranslation();
  const name = useNames();
  const choices = useFilterOptions();
  const fields: readonly (FilterField & { readonly shown?: boolean })[] = [
    { name: 'orderCode', param: 'o', kind: 'text', label: t('orders.orderCode'), pinned: true },
    { name: 'merchantOrderId', param: 'mo', kind: 'text', label: t('orders.mchOrderNo'), pinned: true },
    { name: 'utr', param: 'u', kind: 'text', label: 'UTR', pinned: true },
    {
      name: 'orderStatusId',
      param: 's',
      kind: 'choices',
      label: t('orders.status'),
      pinned: true,
      values: STATUSES,
      options: STATUS_ORDER.map((status) => ({
        value: String(status),
        label: name('collectionStatus', status),
      })),
    },
    { name: 'period', param: 't', kind: 'period', label: t('list.period') },
    {
      name: 'merchantId',
      param: 'm',
      kind: 'digits',
      label: t('orders.merchant'),
      options: choices.merchants,
      shown: sight.merchants,
    },
    {
      name: 'supplierId',
      param: 'sp',
      kind: 'digits',
      label: t('orders.supplier'),
      options: choices.suppliers,
      shown: sight.suppliers,
    },
    { name: 'productId', param: 'pr', kind: 'digits', label: t('orders.product'), options: choices.products },
    { name: 'amount', param: 'a', kind: 'amount', label: t('orders.amount') },
    { name: 'currentReceivedMoney', param: 'r', kind: 'amount', label: t('orders.received') },
    {
      name: 'orderMark',
      param: 'mk',
      kind: 'choice',
      label: t('orders.mark'),
      values: MARKS,
      options: MARKS.map((mark) => ({ value: mark, label: name('orderMark', mark) })),
    },
    {
      name: 'supplementStatus',
      param: 'ss',
      kind: 'choice',
      label: t('orders.supplementStatus'),
      values: ['0', '1'],
      options: [
        { value: '1', label: t('orders.supplemented') },
        { value: '0', label: t('orders.notSupplemented') },
      ],
    },
    {
      name: 'reversed',
      param: 'rv',
      kind: 'choice',
      label: t('orders.reversal'),
      values: ['true', 'false'],
      options: [
        { value: 'true', label: t('orders.reversed') },
        { value: 'false', label: t('orders.notReversed') },
      ],
    },
    { name: 'identifyCode', param: 'ic', kind: 'text', label: t('orders.identifyCode') },
    { name: 'userName', param: 'un', kind: 'text', label: t('orders.userName') },
    { name: 'ipAddress', param: 'ip', kind: 'text', label: t('orders.ipAddress'), shown: sight.origin },
    { name: 'description', param: 'd', kind: 'text', label: t('orders.description'), shown: sight.merchants },
  ];
  return fields.filter((field) => field.shown ?? true);
}
