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

/** The query of an export of all orders without personal data. It needs no second person, however many orders there are. */
export const NAMELESS_EXPORT = {
  list: getList.path,
  columns: JSON.stringify(FIELDS.map((field) => ({ field }))),
};
