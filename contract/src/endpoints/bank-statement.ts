import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { currency, filter, id, idFilter, listOf, minor, paging, time } from '../fields.ts';

const KEEPERS = ['superAdmin', 'admin', 'supplier'] as const;
const outcome = z.enum(['agrees', 'amountDiffers', 'missingHere', 'missingAtBank']);
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

export const importBankStatement = endpoint({
  method: 'POST',
  path: '/v1.0/bankStatement/import',
  summary:
    "A bank's CSV statement of an account, compared with what monitors reported; books nothing (1302 type, 1303 with data.rows)",
  access: KEEPERS,
  duty: 'orders',
  input: z.object({
    resourceId: id,
    file: z.object({
      fileName: z.string().min(1).max(255),
      /** Base64 of the bytes. */
      content: z.string().max(900_000),
    }),
  }),
  output: z.object({
    importId: id,
    counts: z.array(z.object({ outcome, count: z.int(), credit: minor, debit: minor })),
  }),
});

export const getBankStatementImportList = endpoint({
  method: 'GET',
  path: '/v1.0/bankStatement/getImportList',
  summary: 'Statements taken in, and how many lines of each agree',
  access: KEEPERS,
  input: z.object({ ...paging, resourceId: idFilter }),
  output: listOf(
    z.object({
      id,
      resourceId: id,
      accountName: z.string(),
      fileName: z.string(),
      fromDay: day,
      toDay: day,
      agrees: z.int(),
      amountDiffers: z.int(),
      missingHere: z.int(),
      missingAtBank: z.int(),
      time,
      by: z.string().nullable(),
    }),
  ),
});

export const getBankStatementImportLines = endpoint({
  method: 'GET',
  path: '/v1.0/bankStatement/getImportLines',
  summary: 'The lines of a statement: which message reported each, what is missing here or at the bank',
  access: KEEPERS,
  input: z.object({ importId: id, outcome: filter(outcome) }),
  output: z.object({
    currency,
    list: z.array(
      z.object({
        row: z.int().nullable(),
        day,
        narration: z.string(),
        reference: z.string().nullable(),
        direction: z.enum(['credit', 'debit']),
        amount: minor,
        balance: minor.nullable(),
        outcome,
        messageId: id.nullable(),
        orderCode: id.nullable(),
      }),
    ),
  }),
});
