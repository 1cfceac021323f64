import type { endpoints } from 'virtual:endpoints';
import { CURRENCIES, type Currency } from '@sangam/contract/money.ts';
import type { OutputOf } from '../http/call-types.ts';

export type OwnInterface = OutputOf<typeof endpoints.interfaceTest.getInterface>;
export type OwnProduct = OwnInterface['products'][number];

export const CREATE_PATH = '/v1.0/api/order/create';

/** Units of `amount` on the merchant API per whole unit: hundredths, for USDT ten-thousandths. */
export const unitsOf = (currency: Currency) => (currency === 'USDT' ? 10_000 : 100);

/** Converts minor units to the merchant API's `amount`. */
export function wireAmount(minor: number, currency: Currency): number {
  return Math.trunc(minor / (10 ** CURRENCIES[currency] / unitsOf(currency)));
}

/** Address of the merchant API: the configured one, else the console's own address. */
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
