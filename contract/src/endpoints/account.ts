import { z } from 'zod';
import { ACCOUNT_KINDS, MPESA_TYPES } from '../account-kinds.ts';
import { BALANCE_MODES } from '../chain.ts';
import { endpoint } from '../endpoint.ts';
import { filter, id, idFilter, minor, pictureFile, text } from '../fields.ts';
import { GATEWAY_PROVIDERS } from '../gateways.ts';
import { ADMINS } from '../roles.ts';

/** Making and changing receiving and payout accounts. resource/enableResource opens and closes them for a product. */

/** ISO 3166; setting CardCountry says which countries are allowed. */
const country = z.string().regex(/^[A-Z]{2}$/, 'ISO 3166');
/** The exact form depends on the account's kind (account-kinds.ts). */
const accountNumber = z
  .string()
  .trim()
  .regex(/^[+A-Za-z0-9_. -]{3,64}$/, '3–64 × A–Z 0–9');
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
/** Sender header of the bank's messages, such as HDFCBK or MPESA. */
const senderHeader = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{3,9}$/, '3–9 × A–Z 0–9');

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'HH:mm');
/** When the account takes orders, Asia/Kolkata; an end before the start is on the next day. */
export const accountHours = z
  .object({ from: clockTime, to: clockTime })
  .refine(({ from, to }) => from !== to, { path: ['to'], error: '≠ from' });

const WHITELIST_MAX = 500;
const merchantWhitelist = z.array(id).min(1).max(WHITELIST_MAX);
const payerWhitelist = z.array(text(128)).min(1).max(WHITELIST_MAX);

const resource = z
  .object({
    productId: z.int(),
    minAmount: minor.min(1),
    maxAmount: minor.min(1),
    weight: z.int().min(0).max(10_000).default(100),
  })
  .refine((each) => each.minAmount <= each.maxAmount, { path: ['maxAmount'], error: '≥ minAmount' });

/** Limits and bindings. Null removes a limit, the hours, a whitelist or the monitor; a field that is left out stays as it is. */
const terms = {
  monitorId: id.nullable().optional(),
  dailyCountLimit: z.int().min(0).max(1_000_000).nullable().optional(),
  dailyAmountLimit: minor.min(0).nullable().optional(),
  maxWaiting: z.int().min(1).max(100_000).optional(),
  hours: accountHours.nullable().optional(),
  /** The account takes only orders of these merchants. */
  merchantWhitelist: merchantWhitelist.nullable().optional(),
  /** The account takes only orders that name one of these payers. */
  payerWhitelist: payerWhitelist.nullable().optional(),
  purpose: filter(text(500)),
  senderHeader: filter(senderHeader),
  /** Whether its bank's messages state balances; only staff set it. */
  balanceMode: filter(z.enum(BALANCE_MODES)),
  products: z.array(resource).max(32).optional(),
};

/** We never accept card data. A number that looks like a card's is taken only with this confirmation that it is an account number. */
const confirmNotCard = z.boolean().optional();
/** A branch that our list lacks is taken only with this confirmation: banks open branches after the list was made. */
const confirmNewBranch = z.boolean().optional();

/** Credentials of a gateway's API. */
const credentials = z.object({
  keyId: text(256),
  keySecret: text(512),
  /** The provider of the API; fixed once the first credentials are set. */
  provider: filter(z.enum(GATEWAY_PROVIDERS)),
  /** With provider 'script': the script; fixed like the provider. */
  payScriptId: idFilter,
  /** Signs the gateway's webhooks where the key's own secret does not; left out, the present one stays. */
  webhookSecret: filter(text(256)),
  /** M-Pesa: for requests to payers' phones, and for payouts. */
  passkey: filter(text(256)),
  initiatorName: filter(text(64)),
  securityCredential: filter(text(1024)),
});

export const createAccount = endpoint({
  method: 'POST',
  path: '/v1.0/resource/create',
  summary:
    'A new receiving or payout account, as its products say, closed until its ownership is proven and somebody opens it',
  access: [...ADMINS, 'supplier'],
  duty: 'accounts',
  sensitive: true,
  input: z.object({
    ...terms,
    /** A supplier makes its own accounts and leaves this out. */
    supplierId: idFilter,
    /** Bank, wallet or gateway; left out for USDT and M-Pesa. */
    bank: filter(text(128)),
    ownerName: text(128),
    accountNumber,
    ifsc: filter(ifsc),
    vpa: filter(vpa),
    mpesaType: filter(z.enum(MPESA_TYPES)),
    country: country.default('IN'),
    purpose: text(500),
    products: z.array(resource).min(1).max(32),
    credentials: credentials.optional(),
    confirmNotCard,
    confirmNewBranch,
  }),
  output: z.object({ id }),
});

export const updateAccount = endpoint({
  method: 'POST',
  path: '/v1.0/resource/update',
  summary: 'Change an account; what its proof of ownership names can be changed only while there is none',
  access: [...ADMINS, 'supplier'],
  duty: 'accounts',
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
    confirmNewBranch,
  }),
  output: z.object({}),
});

export const getAccount = endpoint({
  method: 'GET',
  path: '/v1.0/resource/getAccount',
  summary: 'An account with all its products and lists, as its form needs it; masked as in the list',
  access: [...ADMINS, 'customerService', 'technicalMaintenance', 'supplier'],
  input: z.object({ id }),
  output: z.object({
    id,
    kind: z.enum(ACCOUNT_KINDS),
    direction: z.enum(['in', 'out']),
    /** The money that a paying account has at its gateway, and when the gateway said so. Null: it was not told. */
    balance: minor.nullable(),
    balanceTime: z.string().nullable(),
    hours: accountHours.nullable(),
    merchantWhitelist: z.array(id).nullable(),
    payerWhitelist: z.array(z.string()).nullable(),
    senderHeader: z.string(),
    balanceMode: z.enum(BALANCE_MODES),
    mpesaType: z.enum(MPESA_TYPES).nullable(),
    /** When the gateway's credentials were set; null: never. The credentials themselves are never shown. */
    credentialsTime: z.string().nullable(),
    /** A proof of ownership is approved or under review: bank, owner, number, IFSC and VPA cannot change. */
    identityFixed: z.boolean(),
    products: z.array(
      z.object({ productId: z.int(), minAmount: minor, maxAmount: minor, weight: z.int(), state: z.int() }),
    ),
  }),
});

export const uploadQrCode = endpoint({
  method: 'POST',
  path: '/v1.0/resource/uploadQrCode',
  summary:
    "An account's own QR code, PNG or JPEG up to 512 KiB; it must say the account's VPA, address or number",
  access: [...ADMINS, 'supplier'],
  duty: 'accounts',
  sensitive: true,
  input: z.object({
    id,
    picture: pictureFile,
  }),
  output: z.object({}),
});

export const removeQrCode = endpoint({
  method: 'POST',
  path: '/v1.0/resource/removeQrCode',
  summary: "Take an account's own QR code away; payers see the one made from its fields again",
  access: [...ADMINS, 'supplier'],
  duty: 'accounts',
  sensitive: true,
  input: z.object({ id }),
  output: z.object({}),
});

export const revealAccount = endpoint({
  method: 'POST',
  path: '/v1.0/resource/reveal',
  summary: 'One masked value of an account, for a reason that is written to the audit',
  access: [...ADMINS, 'customerService'],
  sensitive: true,
  input: z.object({ id, field: z.enum(['accountNumber', 'vpa', 'qrCode']), reason: text(500) }),
  output: z.object({
    /** The number, the VPA, or for 'qrCode' a data: address of the picture payers see. */
    value: z.string(),
  }),
});

export const setGatewayCredentials = endpoint({
  method: 'POST',
  path: '/v1.0/resource/setGatewayCredentials',
  summary: "Set a gateway account's credentials; replacing them waits for a second person (1205)",
  access: [...ADMINS, 'supplier'],
  duty: 'keys',
  sensitive: true,
  input: z.object({ id, ...credentials.shape, reason: filter(text(500)) }),
  output: z.object({}),
});
