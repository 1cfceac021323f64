import { z } from 'zod';
import { normaliseReference, readReference } from './references.ts';
import { parseTime } from './time.ts';

/** Codecs for the special forms of values on the wire; they are only in this file. */

const absentWhenEmpty = (value: unknown) => (value === '' || value === null ? undefined : value);

/** An optional filter: empty strings and nulls mean absent. */
export function filter<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(absentWhenEmpty, schema.optional());
}

/** A 64-bit id is sent as decimal text, because a JSON number would lose its last digits. */
export const id = z
  .string()
  .regex(/^\d{1,19}$/, { abort: true })
  .refine((text) => BigInt(text) < 2n ** 63n)
  .describe('64-bit id as decimal text');

export const text = (max: number) => z.string().trim().min(1).max(max);

/** Amount in minor units of the row's currency. */
export const minor = z.int().describe('minor units (INR, KES: 1/100; USDT: 1/1,000,000)');

export const time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/)
  .describe('YYYY-MM-DD HH:mm:ss, Asia/Kolkata');

export const timeFilter = filter(
  z.string().refine((value) => parseTime(value) !== undefined, 'YYYY-MM-DD HH:mm:ss'),
);

/** The highest value is that of the smallest integer column that is filtered. */
export const intFilter = filter(z.coerce.number().int().min(0).max(32_767));
export const idFilter = filter(id);
export const textFilter = filter(z.string().trim().max(128));
/** A decimal in units of the row's currency; text, because a number would lose the last digits. */
export const decimalFilter = filter(z.coerce.string().regex(/^\d{1,12}(\.\d{1,6})?$/));
export const booleanFilter = filter(
  z.union([
    z.boolean(),
    z.enum(['true', 'false', '0', '1']).transform((value) => value === 'true' || value === '1'),
  ]),
);

/** Sign-in name: letters and digits only. */
export const account = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9]{1,64}$/, 'A–Z a–z 0–9, 1–64');

/** A new password: digits and letters. */
export const newPassword = z
  .string()
  .min(8)
  .max(128)
  .refine((password) => /\d/.test(password) && /\p{L}/u.test(password), '0–9 + A–Z');

export const currency = z.enum(['INR', 'KES', 'USDT']);

/** A UTR as an operator or payer types it: spaces and dashes are removed, letters become upper case (docs/rails.md#references). */
export const utr = z
  .string()
  .transform(normaliseReference)
  .pipe(
    z
      .string()
      .regex(/^(?:[A-Z0-9]{6,30}|[A-F0-9]{64}(?:L\d{1,4})?)$/, 'UTR: 6 to 30 letters or digits; TRON: 64')
      .refine((value) => readReference(value) !== null, 'UTR: 3 digits at least'),
  );

/** The version of the row that the user saw. Without it the action applies to any version. */
export const rowVersion = filter(z.string().max(64));

/** Paging of every list: `pageIndex` from 1, or `cursor` (the last answer's nextCursor) for keyset pages. */
export const paging = {
  pageIndex: filter(z.coerce.number().int().min(1).max(100_000)),
  pageSize: filter(z.coerce.number().int().min(1).max(500)),
  /** Another name of pageSize in some calls of this API family. */
  pageNum: filter(z.coerce.number().int().min(1).max(500)),
  cursor: idFilter,
};

export function listOf<Row extends z.ZodType>(row: Row) {
  return z.object({
    list: z.array(row),
    /** Counted up to 10,001 (1,001 where a part of a text is searched), unless HighPerfOrderQuery is off. */
    total: z.int(),
    totalCapped: z.boolean(),
    pageIndex: z.int(),
    pageSize: z.int(),
    nextCursor: id.nullable(),
  });
}

/** Six digits of the authenticator that a releaser has enrolled at the signer of USDT wallets. */
export const signerCode = z.string().regex(/^\d{6}$/);

/** IPv4 or IPv6, each an address or a network. */
export const addresses = z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])).max(100);

const PICTURE_BYTES_MAX = 512 * 1024;

/** A picture's file in base64, at most 512 KiB. */
export const pictureFile = z
  .string()
  .min(1)
  .max(Math.ceil(PICTURE_BYTES_MAX / 3) * 4, '≤ 512 KiB')
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'base64');
