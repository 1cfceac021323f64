import { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';

export type AccountCall = typeof endpoints.party.getResourceList;
export type Account = RowOf<AccountCall>;
/** The settings and figures of an account for one of its products. */
export type ProductOfAccount = Account['products'][number];

/** An account with the fields that the list does not have. */
export type WholeAccount = NonNullable<typeof endpoints.account.getAccount.types>['output'];

/** State of a product on an account: 0 means enabled. */
export const OPEN = 0;

export const labelOf = (account: Pick<Account, 'bank' | 'accountNumber'>) =>
  `${account.bank} ${account.accountNumber}`;

/** The calls whose answers change when an account changes. */
export const ACCOUNT_CALLS = ['getList', 'getAccount', 'getResourceDetailInfo']
  .map((call) => ({ path: `/v1.0/resource/${call}` }))
  .concat({ path: '/v1.0/payGateway/getList' });
