import type { endpoints } from 'virtual:endpoints';
import type { Currency } from '@sangam/contract/money.ts';
import type { RowOf } from '../http/call-types.ts';

export type Merchant = RowOf<typeof endpoints.party.getMerchantList>;
export type Supplier = RowOf<typeof endpoints.party.getSupplierList>;

/** What the components for both kinds of party need. */
export interface Party {
  readonly kind: 'merchant' | 'supplier';
  readonly id: string;
  readonly name: string;
  readonly frozen: boolean;
  readonly legalHold: boolean;
  readonly balances: readonly {
    readonly currency: Currency;
    readonly bucket: string;
    readonly balance: number;
  }[];
}

/** The lists that show parties. */
export const PARTY_LISTS = ['/v1.0/merchant/getList', '/v1.0/supplier/getList'].map((path) => ({ path }));
