import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, id, idFilter, listOf, minor, paging, time } from '../fields.ts';
import { DIRECTIONS } from '../statistics.ts';

/** Monthly invoices of merchants' fees. */

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
