import { businessDay } from '@sangam/contract/time.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import type { CastBank } from './cast.ts';

/** Unusual events in the demo's past, so that its statistics show something. */

interface Span {
  readonly from: Date;
  readonly until: Date;
}

/** A client address with many orders within minutes. */
export interface Burst extends Span {
  readonly ip: string;
  readonly orders: number;
}

export interface Incidents {
  /** The bank whose payments stay away in this span. */
  readonly silentBank: Span & { readonly bank: CastBank };
  /** The suppliers' phones were offline, so few orders found an account. */
  readonly silentPhones: Span;
  /** The merchant's server did not answer. */
  readonly deafMerchant: Span & { readonly account: string };
  readonly festival: Span;
  readonly bursts: readonly Burst[];
}

/** A cyber café: many payers behind one address. */
export const SHARED_ADDRESS = '103.87.140.22';

const isIn = ({ from, until }: Span, at: Date): boolean => at >= from && at < until;

/** The incidents before `now`, by days ago and hours in Asia/Kolkata. */
export function incidentsBefore(now: Date): Incidents {
  const span = (daysAgo: number, fromHour: number, untilHour: number): Span => {
    const day = businessDay(new Date(now.getTime() - daysAgo * DAY));
    const midnight = Date.parse(`${day}T00:00:00+05:30`);
    return {
      from: new Date(midnight + fromHour * HOUR),
      until: new Date(midnight + untilHour * HOUR),
    };
  };
  const burst = (ip: string, orders: number, ago: number): Burst => {
    const from = new Date(now.getTime() - ago);
    return { ip, orders, from, until: new Date(from.getTime() + 8 * MINUTE) };
  };
  return {
    silentBank: { bank: 'SBI', ...span(9, 9, 21) },
    silentPhones: span(31, 19, 22),
    deafMerchant: { account: 'merchant1', ...span(20, 13, 17) },
    festival: span(16, 0, 24),
    bursts: [
      burst('106.195.44.201', 34, 6 * DAY),
      burst('45.118.61.7', 41, 3 * DAY + 5 * HOUR),
      burst('157.48.90.16', 27, 20 * HOUR),
      burst('27.59.13.88', 31, 150 * MINUTE),
    ],
  };
}

/** How much busier a moment was than usual for its hour and weekday. */
export function bustleAt({ festival }: Incidents, at: Date): number {
  return isIn(festival, at) ? 1.8 : 1;
}

/** A bank's share of paid orders, relative to that of all banks. */
const BANK_FACTORS: Readonly<Record<CastBank, number>> = {
  HDFC: 1.04,
  SBI: 0.98,
  ICICI: 1.03,
  Axis: 1,
  PNB: 0.94,
};

/** The factor on the usual share of paid orders. */
export function paidFactor({ silentBank, bursts }: Incidents, bank: CastBank, at: Date, ip: string): number {
  if (bursts.some((burst) => burst.ip === ip)) return 0.06;
  if (!isIn(silentBank, at)) return BANK_FACTORS[bank];
  return bank === silentBank.bank ? 0.08 : 0.62;
}

/** The share of orders that found no account. */
export function failedShare({ silentPhones }: Incidents, at: Date, usual: number): number {
  return isIn(silentPhones, at) ? 0.55 : usual;
}

/** Whether the merchant's server did not answer at that moment. */
export function isDeaf({ deafMerchant }: Incidents, account: string, at: Date): boolean {
  return account === deafMerchant.account && isIn(deafMerchant, at);
}
