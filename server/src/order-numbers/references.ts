import { isTransactionId } from '@sangam/contract/references.ts';
import { type Sql, sql } from '../platform/db/database.ts';

/**
 * References (UTRs) by family: a reference is used once within its family. UPI and IMPS share one numbering of 12 digits. NEFT
 * and RTGS share another of 4 letters and 12 to 20 characters. M-Pesa receipts have 10 characters (docs/rails.md#references).
 * TRON has the transfers to our addresses, TRONOUT those from our wallets: a transfer from one to the other is a payment on both sides.
 */
export type RefFamily = 'UPI' | 'NEFT' | 'MPESA' | 'TRON' | 'TRONOUT' | 'OTHER';

export function refFamily(reference: string, currency: string): RefFamily {
  if (currency === 'KES') return 'MPESA';
  if (currency === 'USDT') return 'TRON';
  if (/^\d{12}$/.test(reference)) return 'UPI';
  if (/^[A-Z]{4}[A-Z0-9]{12,20}$/.test(reference)) return 'NEFT';
  return 'OTHER';
}

/** SQL: the families that may have a reference of this currency. */
export const familiesOf = (currency: Sql): Sql =>
  sql`(case ${currency} when 'KES' then '{MPESA}' when 'USDT' then '{TRON,TRONOUT}' else '{UPI,NEFT,OTHER}' end)::text[]`;

/** SQL: the reference is what a person stated, or one of the TRON transaction whose id a person stated. */
export const isNamedBy = (reference: Sql, stated: string): Sql =>
  isTransactionId(stated)
    ? sql`(${reference} >= ${stated} and ${reference} < ${`${stated}M`})`
    : sql`${reference} = ${stated}`;

/** The unique key of a reference. */
export function referenceKey({
  reference,
  currency,
}: {
  readonly reference: string;
  readonly currency: string;
}): string {
  return `${refFamily(reference, currency)} ${reference}`;
}
