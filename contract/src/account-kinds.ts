import type { Channel, Direction } from './products.ts';

/** Says what an account's number is: a bank's digits, an id at a gateway, a TRON address, an M-Pesa short code or phone. */
export const ACCOUNT_KINDS = ['bank', 'upi', 'card', 'wallet', 'gateway', 'usdt', 'mpesa'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

export const MPESA_TYPES = ['paybill', 'till', 'phone'] as const;
export type MpesaType = (typeof MPESA_TYPES)[number];

/** The channels that an account of each kind can serve. A bank account with a VPA takes every payment that ends in a bank account. */
export const SERVED_CHANNELS: Readonly<Record<AccountKind, readonly Channel[]>> = {
  bank: ['bank', 'upi', 'card', 'wallet'],
  upi: ['upi', 'wallet', 'card'],
  card: ['card'],
  wallet: ['wallet', 'upi'],
  gateway: ['gateway'],
  usdt: ['usdt'],
  mpesa: ['mpesa'],
};

/** The kind of a new account. Its products decide; among Indian accounts, IFSC and VPA decide too. */
export function kindOf(
  channels: readonly Channel[],
  has: { readonly ifsc: boolean; readonly vpa: boolean },
): AccountKind {
  for (const channel of ['gateway', 'usdt', 'mpesa', 'bank'] as const)
    if (channels.includes(channel)) return channel;
  if (has.ifsc) return 'bank';
  if (!has.vpa) return channels.includes('card') ? 'card' : 'upi';
  return channels.every((channel) => channel === 'wallet') ? 'wallet' : 'upi';
}

/** A Kenyan mobile number as M-Pesa expects it, 254 and nine digits, from any usual spelling; any other text unchanged. */
export function kenyanPhone(text: string): string {
  const match = /^(?:\+?254|0)?([17]\d{8})$/.exec(text.replace(/[\s-]/g, ''));
  return match ? `254${match[1]}` : text;
}

const BANK_DIGITS = /^\d{4,20}$/;
const SHORT_CODE = /^\d{5,7}$/;
const GATEWAY_ID = /^[A-Za-z0-9_.-]{3,64}$/;
const TRON_SHAPE = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const KENYAN_MOBILE = /^254[17]\d{8}$/;

/** The form that an account number must have, in symbols that need no translation; undefined where the number has it. */
export function numberProblem(
  kind: AccountKind,
  accountNumber: string,
  mpesaType: MpesaType | null,
): string | undefined {
  const [shape, words] = shapeOf(kind, mpesaType);
  return shape.test(accountNumber) ? undefined : words;
}

function shapeOf(kind: AccountKind, mpesaType: MpesaType | null): readonly [RegExp, string] {
  switch (kind) {
    case 'usdt':
      return [TRON_SHAPE, 'T + 33 × base58'];
    case 'mpesa':
      return mpesaType === 'phone' ? [KENYAN_MOBILE, '254 7…/1… + 8'] : [SHORT_CODE, '5–7 × 0–9'];
    case 'gateway':
      return [GATEWAY_ID, '3–64 × A–Z 0–9 _ . -'];
    case 'bank':
    case 'upi':
    case 'card':
    case 'wallet':
      return [BANK_DIGITS, '4–20 × 0–9'];
  }
}

/** The screens on which accounts are kept (screens.ts), and which accounts each shows. */
export const ACCOUNT_AREAS = {
  receivingAccounts: { directions: ['in'], kinds: ['bank', 'upi', 'card', 'wallet', 'gateway'] },
  payoutAccounts: { directions: ['out'], kinds: ['bank', 'upi'] },
  gatewayPayoutChannels: { directions: ['out'], kinds: ['gateway'] },
  usdtAutoCollection: { directions: ['in'], kinds: ['usdt'] },
  usdtAutoPayout: { directions: ['out'], kinds: ['usdt'] },
  // There is only one Kenyan screen: it also shows accounts that pay.
  kenyaCollectionAccount: { directions: ['in', 'out'], kinds: ['mpesa'] },
} as const satisfies Record<
  string,
  { readonly directions: readonly Direction[]; readonly kinds: readonly AccountKind[] }
>;

export type AccountArea = keyof typeof ACCOUNT_AREAS;
export const ACCOUNT_AREA_NAMES = Object.keys(ACCOUNT_AREAS) as [AccountArea, ...AccountArea[]];

/** Whether the account needs a monitor. An account that only pays, through an API, needs none: the API is queried. */
export function isWatched({
  direction,
  kind,
}: {
  readonly direction: Direction;
  readonly kind: AccountKind;
}): boolean {
  return direction === 'in' || (kind !== 'gateway' && kind !== 'usdt' && kind !== 'mpesa');
}

/** Whether an account for this product belongs on the area's screen. */
export function isInArea(
  area: AccountArea,
  product: { readonly direction: Direction; readonly channel: Channel },
): boolean {
  const { directions, kinds } = ACCOUNT_AREAS[area];
  return (
    (directions as readonly Direction[]).includes(product.direction) &&
    kinds.some((kind) => SERVED_CHANNELS[kind].includes(product.channel))
  );
}
