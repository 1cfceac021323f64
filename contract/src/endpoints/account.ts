import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { filter, id, idFilter, minor, text } from '../fields.ts';
import { ADMINS } from '../roles.ts';

/** Receiving accounts: made and changed. Opening and closing them for a product is resource/enableResource. */

/** ISO 3166; which countries are allowed is the setting CardCountry. */
const country = z.string().regex(/^[A-Z]{2}$/, 'ISO 3166');
const accountNumber = z
  .string()
  .trim()
  .regex(/^\d{4,20}$/, '4–20 × 0–9');
const ifsc = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{4}0[A-Z0-9]{6}$/, 'AAAA0######');
const vpa = z
  .string()
  .trim()
  .max(100)
  .regex(/^[A-Za-z0-9._-]{2,99}@[A-Za-z][A-Za-z0-9]{1,63}$/, 'name@handle');
/** As the bank's messages name themselves: HDFCBK, or MPESA. */
const senderHeader = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{3,9}$/, '3–9 × A–Z 0–9');

const resource = z
  .object({
    productId: z.int(),
    minAmount: minor.min(1),
    maxAmount: minor.min(1),
    weight: z.int().min(0).max(10_000).default(100),
  })
  .refine((each) => each.minAmount <= each.maxAmount, { path: ['maxAmount'], error: '≥ minAmount' });

/** Limits and binding; null takes a limit or the monitor away, what is left out stays. */
const terms = {
  monitorId: id.nullable().optional(),
  dailyCountLimit: z.int().min(0).max(1_000_000).nullable().optional(),
  dailyAmountLimit: minor.min(0).nullable().optional(),
  maxWaiting: z.int().min(1).max(100_000).optional(),
  purpose: filter(text(500)),
  senderHeader: filter(senderHeader),
  products: z.array(resource).max(32).optional(),
};

/** A number like a card's is taken only with this word that it is an account's: no card data is ever accepted. */
const confirmNotCard = z.boolean().optional();

export const createAccount = endpoint({
  method: 'POST',
  path: '/v1.0/resource/create',
  summary:
    'A new receiving account, closed for every product until its ownership is proven and somebody opens it',
  access: [...ADMINS, 'supplier'],
  sensitive: true,
  input: z.object({
    ...terms,
    /** A supplier makes its own accounts and leaves this out. */
    supplierId: idFilter,
    bank: text(128),
    ownerName: text(128),
    accountNumber,
    ifsc: filter(ifsc),
    vpa: filter(vpa),
    country: country.default('IN'),
    purpose: text(500),
    senderHeader,
    products: z.array(resource).min(1).max(32),
    confirmNotCard,
  }),
  output: z.object({ id }),
});

export const updateAccount = endpoint({
  method: 'POST',
  path: '/v1.0/resource/update',
  summary:
    'Change a receiving account; what its proof of ownership names can be changed only while there is none',
  access: [...ADMINS, 'supplier'],
  sensitive: true,
  input: z.object({
    id,
    ...terms,
    bank: filter(text(128)),
    ownerName: filter(text(128)),
    accountNumber: filter(accountNumber),
    ifsc: ifsc.nullable().optional(),
    vpa: vpa.nullable().optional(),
    confirmNotCard,
  }),
  output: z.object({}),
});
