import { formatTime } from '@sangam/contract/time.ts';

/** Hours and lists of those an account is for. */

/** Minutes of the business day's clock; both null = always. */
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

/** Whether the hours say 'closed' at a moment: from the closing minute up to the opening one. */
export function isOutsideHours({ opensMinute, closesMinute }: OpenMinutes, now: Date): boolean {
  if (opensMinute === null || closesMinute === null) return false;
  const minute = minuteOf(formatTime(now).slice(11, 16));
  return opensMinute < closesMinute
    ? minute < opensMinute || minute >= closesMinute
    : minute < opensMinute && minute >= closesMinute;
}

export interface Whitelists {
  /** Ids as text: pg reads no arrays of bigint. */
  readonly merchantWhitelist: readonly string[] | null;
  /** As payerKey writes them. */
  readonly payerWhitelist: readonly string[] | null;
}

/** Each list that is set has to name the order. */
export function isWelcome(
  { merchantWhitelist, payerWhitelist }: Whitelists,
  order: { readonly merchantId: bigint; readonly userName: string | null },
): boolean {
  if (merchantWhitelist && !merchantWhitelist.includes(String(order.merchantId))) return false;
  return !payerWhitelist || (order.userName !== null && payerWhitelist.includes(payerKey(order.userName)));
}

/** A payer's name as the whitelist compares it: letter case and spacing differ from bank to bank. */
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
