import type { endpoints } from 'virtual:endpoints';
import type { InputOf } from '../http/call-types.ts';
import { LIST_PARAMS, type FilterName } from './list-state.ts';

/** The lists that links lead to, by area, each with its call. */
interface LinkedLists {
  readonly batchPayout: typeof endpoints.payoutBatch.getPayoutBatchList;
  readonly bankSMSRecords: typeof endpoints.party.getBankStatementList;
  readonly collectionOrders: typeof endpoints.order.getList;
  readonly merchants: typeof endpoints.party.getMerchantList;
  readonly payoutOrders: typeof endpoints.payout.getPayoutList;
  readonly receivingAccounts: typeof endpoints.party.getResourceList;
  readonly suppliers: typeof endpoints.party.getSupplierList;
  readonly toDo: typeof endpoints.todo.getMine;
}
export type LinkedList = keyof LinkedLists;

/** The filters of both order lists that show the orders behind a number of the statistics. */
const CELL_PARAMS = {
  period: 't',
  merchantId: 'm',
  supplierId: 'sp',
  productId: 'pr',
  orderMark: 'mk',
  currency: 'cu',
  bank: 'bk',
  counted: 'ct',
  filing: 'fg',
  countedScope: 'cs',
  weekday: 'wd',
  halfHour: 'hh',
  payBucket: 'pb',
} as const;

/** The filters that links set, with their keys in the address. The lists use the same keys. */
export const LINK_PARAMS = {
  batchPayout: { batchId: 'b' },
  bankSMSRecords: { state: 's' },
  collectionOrders: {
    orderStatusId: 's',
    orderCode: 'o',
    ipAddress: 'ip',
    source: 'src',
    resourceId: 'ac',
    ...CELL_PARAMS,
  },
  merchants: { name: 'q' },
  payoutOrders: { orderStatusId: 's', unproven: 'up', ...CELL_PARAMS },
  receivingAccounts: { account: 'q' },
  suppliers: { name: 'q' },
  toDo: {},
} as const satisfies {
  readonly [List in LinkedList]: { readonly [Name in FilterName<InputOf<LinkedLists[List]>>]?: string };
};

export type LinkFilters<List extends LinkedList> = {
  readonly [Name in keyof (typeof LINK_PARAMS)[List]]?: string | number;
};

/** The query that shows a list with `filters` and the drawer of the row `open`. Empty where neither is given. */
export function listQuery<List extends LinkedList>(
  list: List,
  filters: LinkFilters<List>,
  open?: string,
): string {
  const params: Readonly<Record<string, string>> = LINK_PARAMS[list];
  const query = new URLSearchParams(
    Object.entries(filters).map(([name, value]) => [params[name]!, String(value)]),
  );
  if (open !== undefined) query.set(LIST_PARAMS.open, open);
  return query.size > 0 ? `?${query}` : '';
}
