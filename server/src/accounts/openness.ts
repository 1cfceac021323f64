import { formatTime } from '@sangam/contract/time.ts';

/** The opening hours of an account, and the lists of those it is for. */

/** Minutes of the business day's clock; both null means always open. */
export interface OpenMinutes {
  readonly opensMinute: number | null;
  readonly closesMinute: number | null;
}

interface Hours {
  readonly from: string;
  readonly to: string;
}

export function hoursOf(hours: Hours | null): OpenMinutes {
  return { opensMinute: hours && minuteOf(hours.from), closesMinute: hours && minuteOf(hours.to) };
}

export function shownHours({ opensMinute, closesMinute }: OpenMinutes): Hours | null {
  return opensMinute === null || closesMinute === null
    ? null
    : { from: clockText(opensMinute), to: clockText(closesMinute) };
}

/** Whether the account is closed at a moment: from the closing minute until the opening minute. */
export function isOutsideHours({ opensMinute, closesMinute }: OpenMinutes, now: Date): boolean {
  if (opensMinute === null || closesMinute === null) return false;
  const minute = minuteOf(formatTime(now).slice(11, 16));
  return opensMinute < closesMinute
    ? minute < opensMinute || minute >= closesMinute
    : minute < opensMinute && minute >= closesMinute;
}

export interface Whitelists {
  /** Ids as text, because pg does not parse arrays of bigint. */
  readonly merchantWhitelist: readonly string[] | null;
  /** In the spelling that payerKey makes. */
  readonly payerWhitelist: readonly string[] | null;
}

/** Whether each list that is set contains the order's merchant or payer. */
export function isWelcome(
  { merchantWhitelist, payerWhitelist }: Whitelists,
  order: { readonly merchantId: bigint; readonly userName: string | null },
): boolean {
  if (merchantWhitelist && !merchantWhitelist.includes(String(order.merchantId))) return false;
  return !payerWhitelist || (order.userName !== null && payerWhitelist.includes(payerKey(order.userName)));
}

/** A payer's name as the whitelist compares it: banks differ in letter case and spacing. */
export function payerKey(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase().replace(/\s+/g, ' ');
}

function minuteOf(clock: string): number {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return hour * 60 + minute;
}

function clockText(minute: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}
