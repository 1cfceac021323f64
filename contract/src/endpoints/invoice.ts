import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, id, idFilter, listOf, minor, paging, time } from '../fields.ts';
import { DIRECTIONS } from '../statistics.ts';

/** Merchants' fees, and their monthly invoices. */

/** The first day of the month. */
const month = z.iso.date();

export const getInvoices = endpoint({
  method: 'GET',
  path: '/v1.0/invoice/getList',
  summary:
    'Invoices of fees, newest first: the own ones of a merchant. Fees contain the tax; lines of earlier months say what has changed since those were invoiced',
  access: ['superAdmin', 'admin', 'customerService', 'technicalMaintenance', 'merchant'],
  input: z.object({ ...paging, merchantId: idFilter }),
  output: listOf(
    z.object({
      id,
      /** Consecutive within the financial year: `2026-27/000042`. */
      number: z.string(),
      month,
      merchantId: id,
      merchantName: z.string(),
      issuer: z.string(),
      currency,
      /** The fees paid; negative: a credit note. */
      fee: minor,
      /** The tax contained in the fee. */
      tax: minor,
      issueTime: time,
      lines: z.array(
        z.object({
          month,
          direction: z.enum(DIRECTIONS),
          productId: z.int(),
          productName: z.string(),
          taxPercent: z.int(),
          fee: minor,
          tax: minor,
        }),
      ),
    }),
  ),
});

export const getFees = endpoint({
  method: 'GET',
  path: '/v1.0/invoice/getFees',
  summary:
    "The merchant's fees of a month by product, of payments that were not reversed, as its invoice counts them. Test orders cost nothing, and orders marked 'test' are not among the paid ones",
  access: ['merchant'],
  input: z.object({ month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])-01$/) }),
  output: z.object({
    list: z.array(
      z.object({
        currency,
        productId: z.int(),
        productName: z.string(),
        /** Payments that stand, and their sum. */
        paid: z.int(),
        amount: minor,
        fee: minor,
      }),
    ),
  }),
});
