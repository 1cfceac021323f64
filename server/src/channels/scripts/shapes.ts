import type { ScriptFunction } from '@sangam/contract/pay-scripts.ts';
import { CURRENCIES, type Currency } from '@sangam/contract/money.ts';
import { z } from 'zod';

/** What the functions of a script answer. Amounts are decimal text, because a number may already have lost digits. */
const amount = z.string().regex(/^\d{1,12}(\.\d{1,6})?$/, 'decimal text, such as "100.00"');
const words = z.string().trim().max(300);
const reference = z.string().trim().min(1).max(64);

export const CREATED = z.union([
  z.object({
    payUrl: z
      .url({ protocol: /^https?$/ })
      .max(2048)
      .describe('where the payer goes'),
    /** The gateway's own reference of the order. */
    reference: reference.optional(),
  }),
  z.object({ refused: words }),
]);

const standing = {
  amount: amount.optional(),
  utr: reference.optional(),
  reference: reference.optional(),
  reason: words.optional(),
};
const state = z.enum(['paid', 'pending', 'failed', 'unknown']);
const isWhole = (answer: { readonly state?: string | undefined; readonly amount?: string | undefined }) =>
  answer.state !== 'paid' || answer.amount !== undefined;
const NAMES_AMOUNT = { path: ['amount'], message: 'what is paid names its amount' };

export const STANDING = z.object({ state, ...standing }).refine(isWhole, NAMES_AMOUNT);
export type Standing = z.infer<typeof STANDING>;

/** The gateway expects this as our answer to its webhook: a short text, or an object as JSON. */
const answer = z.union([z.string().max(1000), z.record(z.string(), z.unknown())]).optional();

export const NOTIFIED = z.union([
  z.object({ orderCode: z.string().max(64), state, ...standing, answer }).refine(isWhole, NAMES_AMOUNT),
  /** Not for us, or without meaning: answered, and nothing else happens. */
  z.object({ ignored: words, answer }),
  /** Not from the gateway: its signature is wrong. */
  z.object({ refused: words }),
]);

export const PAID_OUT = z.union([
  z.object({ accepted: reference }),
  z.object({ refused: words }),
  z.object({ unknown: words }),
]);

export const SHAPES: Readonly<Record<ScriptFunction, z.ZodType>> = {
  createOrder: CREATED,
  query: STANDING,
  parseNotify: NOTIFIED,
  payout: PAID_OUT,
};

/** The first few ways in which an answer differs from its shape. */
export function wrongShape(error: z.ZodError): string {
  const flat = error.issues.flatMap((issue) =>
    issue.code === 'invalid_union' ? issue.errors.flat() : [issue],
  );
  return flat
    .slice(0, 4)
    .map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`)
    .join('; ')
    .slice(0, 500);
}

/** Decimal text in minor units; undefined where it has more decimals than the currency. */
export function minorOf(text: string, currency: Currency): bigint | undefined {
  const [whole = '', decimals = ''] = text.split('.');
  const digits = CURRENCIES[currency];
  if (/[1-9]/.test(decimals.slice(digits))) return undefined;
  return BigInt(whole + decimals.slice(0, digits).padEnd(digits, '0'));
}
