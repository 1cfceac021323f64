import type { Currency } from './money.ts';

export type Direction = 'in' | 'out';
export const CHANNELS = ['upi', 'bank', 'card', 'wallet', 'usdt', 'mpesa', 'gateway'] as const;
export type Channel = (typeof CHANNELS)[number];

export interface Product {
  readonly id: number;
  readonly name: string;
  readonly direction: Direction;
  readonly currency: Currency;
  readonly channel: Channel;
  /**
   * By how many steps a payable amount may float upwards, so that it is unique on an account. 0 = the channel does not
   * recognise payments by their amount.
   */
  readonly floatSteps: number;
  /** One floating step in minor units. */
  readonly floatStepMinor: number;
}

/** Whether payers pay a product by UPI, whose references have twelve digits. */
export const paysByUpi = (productId: number): boolean =>
  DEFAULT_PRODUCTS.some(({ id, channel }) => id === productId && channel === 'upi');

/** Defaults of a new installation (docs/domain.md#products); superAdmin edits the table, not this list. */
export const DEFAULT_PRODUCTS: readonly Product[] = [
  {
    id: 1001,
    name: 'International card to card',
    direction: 'in',
    currency: 'INR',
    channel: 'card',
    floatSteps: 499,
    floatStepMinor: 1,
  },
  {
    id: 1010,
    name: 'UPI',
    direction: 'in',
    currency: 'INR',
    channel: 'upi',
    floatSteps: 499,
    floatStepMinor: 1,
  },
  {
    id: 1012,
    name: 'Bank transfer',
    direction: 'in',
    currency: 'INR',
    channel: 'bank',
    floatSteps: 499,
    floatStepMinor: 1,
  },
  {
    id: 1021,
    name: 'PhonePe',
    direction: 'in',
    currency: 'INR',
    channel: 'wallet',
    floatSteps: 499,
    floatStepMinor: 1,
  },
  {
    id: 1022,
    name: 'Paytm',
    direction: 'in',
    currency: 'INR',
    channel: 'wallet',
    floatSteps: 499,
    floatStepMinor: 1,
  },
  {
    id: 1023,
    name: 'Google Pay',
    direction: 'in',
    currency: 'INR',
    channel: 'wallet',
    floatSteps: 499,
    floatStepMinor: 1,
  },
  {
    id: 1024,
    name: 'Amazon Pay',
    direction: 'in',
    currency: 'INR',
    channel: 'wallet',
    floatSteps: 499,
    floatStepMinor: 1,
  },
  {
    id: 1030,
    name: 'Gateway',
    direction: 'in',
    currency: 'INR',
    channel: 'gateway',
    floatSteps: 0,
    floatStepMinor: 0,
  },
  {
    id: 1045,
    name: 'USDT (TRC20) floating',
    direction: 'in',
    currency: 'USDT',
    channel: 'usdt',
    floatSteps: 9999,
    floatStepMinor: 100,
  },
  {
    id: 1060,
    name: 'M-Pesa',
    direction: 'in',
    currency: 'KES',
    channel: 'mpesa',
    floatSteps: 0,
    floatStepMinor: 0,
  },
  {
    id: 2001,
    name: 'Bank payout',
    direction: 'out',
    currency: 'INR',
    channel: 'bank',
    floatSteps: 0,
    floatStepMinor: 0,
  },
  {
    id: 2010,
    name: 'Gateway payout',
    direction: 'out',
    currency: 'INR',
    channel: 'gateway',
    floatSteps: 0,
    floatStepMinor: 0,
  },
  {
    id: 2012,
    name: 'UPI payout',
    direction: 'out',
    currency: 'INR',
    channel: 'upi',
    floatSteps: 0,
    floatStepMinor: 0,
  },
  {
    id: 2045,
    name: 'USDT payout',
    direction: 'out',
    currency: 'USDT',
    channel: 'usdt',
    floatSteps: 0,
    floatStepMinor: 0,
  },
  {
    id: 2060,
    name: 'M-Pesa B2C',
    direction: 'out',
    currency: 'KES',
    channel: 'mpesa',
    floatSteps: 0,
    floatStepMinor: 0,
  },
];
