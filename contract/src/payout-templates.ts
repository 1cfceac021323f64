import { z } from 'zod';

/**
 * A bank's format of bulk payout files, as data: the file to upload, and how its result file is read. Cells, lead rows and the
 * file's name are texts with {{placeholders}}: a field below, a date with its pattern (`{{payDate:dd/MM/yyyy}}`), the padded
 * number of the file on that day (`{{serial:3}}`), or a parameter of the template (`{{clientCode}}`).
 */

/** What a cell can take from the order, its batch and the paying account. Amounts in rupees with two decimals. */
export const TEMPLATE_FIELDS = [
  'mode',
  'amount',
  'currency',
  'reference',
  'row',
  'debitAccount',
  'debitIfsc',
  'debitName',
  'payeeName',
  'payeeAccount',
  'payeeIfsc',
  'payeeBank',
  'payeeVpa',
  'payeeKind',
  'payDate',
  'serial',
  'count',
  'total',
] as const;

const cell = z.string().max(200);

const mode = z.object({
  /** The bank's code for this way to pay. */
  code: z.string().min(1).max(32),
  /** 'same': the payee's IFSC begins with the bank of the paying account. */
  bank: z.enum(['same', 'any']),
  payee: z.enum(['account', 'vpa']),
  /** Bounds of the amount in minor units, both included. */
  from: z.int().min(0).optional(),
  to: z.int().min(0).optional(),
});

const column = z.object({
  name: z.string().min(1).max(80),
  value: cell,
  /** Longer text is cut to this many characters. */
  max: z.int().min(1).max(200).optional(),
});

/**
 * Where a value is in the result file: the words of its header (compared without case, spaces and symbols), or a column number
 * from 1.
 */
const place = z.union([z.string().min(1).max(80), z.int().min(1).max(200)]);

export const RESULT_OUTCOMES = ['completed', 'failed', 'reversed', 'inProgress'] as const;
export type ResultOutcome = (typeof RESULT_OUTCOMES)[number];

const result = z.object({
  /** Endings of the file's name; `#` stands for one digit. */
  fileTypes: z
    .array(
      z
        .string()
        .toLowerCase()
        .regex(/^[a-z0-9#]{1,8}$/),
    )
    .min(1)
    .max(8),
  /** Rows before the first payout; the header is the last of them. 0 = no header, and columns are given by number. */
  leadRows: z.int().min(0).max(20),
  /** How a row finds its payout: by our reference, or by account and amount where these are unique in the batch. */
  join: z.enum(['reference', 'accountAmount']),
  reference: place.optional(),
  account: place.optional(),
  amount: place.optional(),
  utr: place.optional(),
  reason: place.optional(),
  /** Without a status column, a row with a reason has failed and any other is in progress. */
  status: place.optional(),
  words: z.partialRecord(z.enum(RESULT_OUTCOMES), z.array(z.string().min(1).max(64)).max(20)),
});

export const templateFormat = z
  .object({
    /** The first four letters of the IFSC codes of accounts that use it; empty: any bank. */
    bank: z.string().regex(/^(?:[A-Z]{4})?$/),
    /** The payout products that it can pay. */
    products: z.array(z.int()).min(1).max(10),
    /** The client's own values, as agreed with the bank. An empty one must be set before the template is used. */
    parameters: z.record(z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/), z.string().max(64)),
    fileName: z.string().min(1).max(80),
    /** Whole rows before the payouts, in addition to the row of column names. */
    leadRows: z.array(z.array(cell).min(1).max(60)).max(5),
    header: z.boolean(),
    lineEnd: z.enum(['crlf', 'lf']),
    /** People open this file in a spreadsheet: cells that begin like a formula get an apostrophe. */
    opened: z.boolean(),
    /** The first mode that fits an order is used. */
    modes: z.array(mode).min(1).max(12),
    columns: z.array(column).min(1).max(80),
    /** Null: the bank's result file is not known. */
    result: result.nullable(),
  })
  .superRefine((format, context) => {
    const known = new Set<string>([...TEMPLATE_FIELDS, ...Object.keys(format.parameters)]);
    const check = (text: string, path: (string | number)[]) => {
      for (const [, name] of text.matchAll(/\{\{([^{}:]*)(?::[^{}]*)?\}\}/g)) {
        if (!known.has(name!)) context.addIssue({ code: 'custom', path, message: `{{${name}}}` });
      }
    };
    check(format.fileName, ['fileName']);
    format.columns.forEach((each, index) => check(each.value, ['columns', index, 'value']));
    format.leadRows.forEach((row, index) => row.forEach((text) => check(text, ['leadRows', index])));
    if (!format.result) return;
    const { join, leadRows, words: _words, fileTypes: _types, ...places } = format.result;
    const needed = join === 'reference' ? (['reference'] as const) : (['account', 'amount'] as const);
    for (const name of needed) {
      if (places[name] === undefined)
        context.addIssue({ code: 'custom', path: ['result', name], message: name });
    }
    for (const [name, where] of Object.entries(places)) {
      if (leadRows === 0 && typeof where === 'string')
        context.addIssue({ code: 'custom', path: ['result', name], message: 'number' });
    }
  });
export type TemplateFormat = z.output<typeof templateFormat>;
