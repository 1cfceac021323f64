import type { endpoints } from 'virtual:endpoints';
import { CURRENCIES, type Currency } from '@sangam/contract/money.ts';
import type { OutputOf } from '../http/call-types.ts';

export type OwnInterface = OutputOf<typeof endpoints.interfaceTest.getInterface>;
export type OwnProduct = OwnInterface['products'][number];

export const CREATE_PATH = '/v1.0/api/order/create';

/** What `amount` counts on the merchant API: hundredths, of a USDT ten-thousandths. */
export const unitsOf = (currency: Currency) => (currency === 'USDT' ? 10_000 : 100);

/** Minor units as the merchant API's `amount` says them. */
export function wireAmount(minor: number, currency: Currency): number {
  return Math.trunc(minor / (10 ** CURRENCIES[currency] / unitsOf(currency)));
}

/** The merchant API's address: what the platform says, else where this console is. */
export const apiBase = ({ apiUrl }: OwnInterface) => (apiUrl || window.location.origin).replace(/\/$/, '');

/** The calls of the merchant API. */
export const CALLS = [
  ['create', CREATE_PATH],
  ['createBatch', '/v1.0/api/order/createBatch'],
  ['query', '/v1.0/api/order/query'],
  ['queryUtr', '/v1.0/api/order/queryUtr'],
  ['queryMerchantBalance', '/v1.0/api/order/queryMerchantBalance'],
  ['cancel', '/v1.0/api/order/cancel'],
] as const;
