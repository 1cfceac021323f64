import type { Channel } from '@sangam/contract/products.ts';
import { refuse, type Refusal, wrongInput } from '../platform/refusal.ts';
import type { Payee } from './order.ts';
import { isTronAddress } from '../platform/tron-address.ts';

/** The payee's fields as a merchant sends them; empty ones are absent. */
export interface PayeeFields {
  readonly userName?: string | undefined;
  readonly cardNumber?: string | undefined;
  readonly ifscCode?: string | undefined;
  readonly bankName?: string | undefined;
  readonly accountType?: string | undefined;
  readonly vpa?: string | undefined;
  readonly address?: string | undefined;
  readonly phone?: string | undefined;
}

type Field = keyof PayeeFields;

const NAME_LENGTH = 128;

/** Each reader returns a field as it is stored, or undefined when the text is not valid. */
const READERS: Readonly<Record<Exclude<Field, 'accountType'>, (text: string) => string | undefined>> = {
  userName: (text) => (text.length <= NAME_LENGTH ? text : undefined),
  bankName: (text) => (text.length <= NAME_LENGTH ? text : undefined),
  cardNumber: (text) => (/^\d{4,20}$/.test(text) ? text : undefined),
  ifscCode: (text) => (/^[A-Z]{4}0[A-Z0-9]{6}$/.test(text) ? text : undefined),
  vpa: (text) => (/^[A-Za-z0-9._-]{2,256}@[A-Za-z][A-Za-z0-9.]{1,63}$/.test(text) ? text : undefined),
  address: (text) => (isTronAddress(text) ? text : undefined),
  phone: kenyanPhone,
};

type PayeeField = keyof typeof READERS;

const BANK_FIELDS = ['userName', 'cardNumber', 'ifscCode', 'bankName'] as const;
/** Fields of a payee that do not choose the way to pay. */
const SAID_BESIDE: ReadonlySet<PayeeField> = new Set(['userName', 'bankName']);

/** The fields that a channel needs. A gateway pays to a bank account or to a VPA. */
function neededBy(channel: Channel, fields: PayeeFields): readonly PayeeField[] {
  switch (channel) {
    case 'bank':
      return BANK_FIELDS;
    case 'upi':
      return ['vpa'];
    case 'usdt':
      return ['address'];
    case 'mpesa':
      return ['phone'];
    case 'gateway':
      return fields.accountType?.toUpperCase() === 'UPI' || (fields.vpa && !fields.cardNumber)
        ? ['userName', 'vpa']
        : ['userName', 'cardNumber', 'ifscCode'];
    case 'card':
    case 'wallet':
      return [];
  }
}

/** The fields of createOrder that name the payee, by channel. For a gateway: those of a bank account. */
export function payeeFieldsOf(channel: Channel): readonly string[] {
  return neededBy(channel, {});
}

/**
 * The payee of a payout of this channel, or 400 with every field that is missing or wrong. Only the fields of the way to pay are kept:
 * with an account number beside a VPA, a payer could use either.
 */
export function readPayee(channel: Channel, fields: PayeeFields): Payee | Refusal {
  const needed = neededBy(channel, fields);
  if (needed.length === 0) return refuse('productNotEnabled');
  const read = (field: PayeeField) => {
    const text = fields[field]?.trim();
    return text ? READERS[field](text) : undefined;
  };
  const given = (Object.keys(READERS) as PayeeField[]).filter((field) => fields[field]?.trim());
  // A field that is given must be valid, even when the channel does not need it.
  const wrong = [...new Set([...needed, ...given])].filter((field) => read(field) === undefined);
  if (wrong.length > 0) {
    return wrongInput(...wrong);
  }
  const kept = (field: PayeeField) =>
    needed.includes(field) || SAID_BESIDE.has(field) ? (read(field) ?? null) : null;
  return {
    name: kept('userName'),
    account: kept('cardNumber'),
    ifsc: kept('ifscCode'),
    bank: kept('bankName'),
    vpa: kept('vpa'),
    address: kept('address'),
    phone: kept('phone'),
  };
}

/** Mobile numbers of Kenya as M-Pesa takes them: 254 and nine digits. */
function kenyanPhone(text: string): string | undefined {
  const match = /^(?:\+?254|0)?([17]\d{8})$/.exec(text.replace(/[\s-]/g, ''));
  return match ? `254${match[1]}` : undefined;
}
