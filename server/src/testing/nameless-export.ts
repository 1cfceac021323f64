import { getList } from '@sangam/contract/endpoints/order.ts';

const FIELDS = [
  'orderCode',
  'mchOrderNo',
  'merchantName',
  'productName',
  'currency',
  'amount',
  'payableAmount',
  'orderStatusId',
  'utr',
  'accountName',
  'createTime',
  'payTime',
];

/** Query of an export of all orders in columns that name nobody: it waits for no second person, however many they are. */
export const NAMELESS_EXPORT = {
  list: getList.path,
  columns: JSON.stringify(FIELDS.map((field) => ({ field }))),
};
