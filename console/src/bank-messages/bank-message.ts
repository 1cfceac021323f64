import type { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';

export type MessageCall = typeof endpoints.party.getBankStatementList;
export type BankMessage = RowOf<MessageCall>;
