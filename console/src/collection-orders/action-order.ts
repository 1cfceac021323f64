import type { CollectionOrderRow } from '@sangam/contract/endpoints/order.ts';

/** What an action's dialog needs to know of its order. */
export type ActionOrder = Pick<
  CollectionOrderRow,
  'id' | 'orderCode' | 'orderStatusId' | 'orderMark' | 'amount' | 'payableAmount' | 'currency' | 'actions'
>;
