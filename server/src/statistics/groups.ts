import type { Currency } from '@sangam/contract/money.ts';
import { type Sum, SUMS, type Sums, TIMES, type Times } from '@sangam/contract/statistics.ts';
import { bucketsOf } from './buckets.ts';

/** One group of orders: a currency, and the keys that were asked for. Other keys are null. */
export interface Group {
  readonly currency: Currency;
  readonly day: string | null;
  /** 1 (Monday) to 7 (Sunday). */
  readonly weekday: number | null;
  /** 0 to 47. */
  readonly halfHour: number | null;
  readonly merchantId: bigint | null;
  /** 0: orders without a supplier. The same for account and bank. */
  readonly supplierId: bigint | null;
  readonly accountId: bigint | null;
  readonly bank: string | null;
  readonly productId: number | null;
  readonly mark: number | null;
}

/** For each duration, the number of orders in each bucket. */
export type Buckets = Readonly<Record<Times, ReadonlyMap<number, number>>>;
export type SummedGroup = Group & { readonly sums: Sums; readonly times: Buckets };

/** The group of all orders of a currency. */
export const NO_GROUP: Omit<Group, 'currency'> = {
  day: null,
  weekday: null,
  halfHour: null,
  merchantId: null,
  supplierId: null,
  accountId: null,
  bank: null,
  productId: null,
  mark: null,
};

const GROUP_NAMES = Object.keys(NO_GROUP) as (keyof Group)[];

/** A row of an answer: a group's sums in the periods that `part` names. */
export type Read = Group &
  Readonly<Partial<Record<Sum, number>>> &
  Readonly<Record<Times, string | null>> & { readonly part: number };

/** An answer has hundreds of rows, so the fields are written directly, without lists of pairs. */
function summed(row: Read): SummedGroup {
  const sums = {} as Record<Sum, number>;
  for (const sum of SUMS) sums[sum] = row[sum] ?? 0;
  const group = { ...NO_GROUP, currency: row.currency } as Record<keyof Group, unknown>;
  for (const name of GROUP_NAMES) group[name] = row[name] ?? null;
  return {
    ...(group as unknown as Group),
    sums,
    times: { pay: bucketsOf(row.pay ?? ''), tell: bucketsOf(row.tell ?? '') },
  };
}

/** Adds the parts of each group together. */
export function added(rows: readonly Read[]): SummedGroup[] {
  const parts = new Map<string, SummedGroup>();
  for (const row of rows) {
    const part = summed(row);
    const name = groupName(part);
    const known = parts.get(name);
    parts.set(name, known ? { ...part, ...together([known, part]) } : part);
  }
  return [...parts.values()];
}

/** The sums and durations of several groups together. */
export function together(parts: readonly SummedGroup[]): Pick<SummedGroup, 'sums' | 'times'> {
  const sums = Object.fromEntries(SUMS.map((sum) => [sum, 0])) as Record<Sum, number>;
  const times = { pay: new Map<number, number>(), tell: new Map<number, number>() };
  for (const part of parts) {
    for (const sum of SUMS) sums[sum] += part.sums[sum];
    for (const kind of TIMES)
      for (const [bucket, orders] of part.times[kind])
        times[kind].set(bucket, (times[kind].get(bucket) ?? 0) + orders);
  }
  return { sums, times };
}

/** One text for each group of a question. */
export function groupName(group: Group): string {
  const { currency, day, weekday, halfHour, merchantId, supplierId, accountId, productId, mark, bank } =
    group;
  return [currency, day, weekday, halfHour, merchantId, supplierId, accountId, productId, mark, bank].join();
}
