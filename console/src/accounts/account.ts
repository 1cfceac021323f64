import { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';

export type AccountCall = typeof endpoints.party.getResourceList;
export type Account = RowOf<AccountCall>;
/** What an account has of its own for one of its products. */
export type ProductOfAccount = Account['products'][number];

/** What the list does not show of it. */
export type WholeAccount = NonNullable<typeof endpoints.account.getAccount.types>['output'];

/** 0 means enabled. */
export const OPEN = 0;

export const labelOf = (account: Pick<Account, 'bank' | 'accountNumber'>) =>
  `${account.bank} ${account.accountNumber}`;

/** What a change to an account shows in. */
export const ACCOUNT_CALLS = ['getList', 'getAccount', 'getResourceDetailInfo']
  .map((call) => ({ path: `/v1.0/resource/${call}` }))
  .concat({ path: '/v1.0/payGateway/getList' });
