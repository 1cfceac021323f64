import type { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../operator-table/call-types.ts';

export type AccountCall = typeof endpoints.party.getResourceList;
export type ReceivingAccount = RowOf<AccountCall>;
