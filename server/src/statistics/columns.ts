import type { Direction } from '@sangam/contract/products.ts';
import { PAYMENT_SUMS, type Sum, SUMS, TIMES, type Times, type Filing } from '@sangam/contract/statistics.ts';
import { join, raw, type Sql, sql } from '../platform/db/database.ts';
import { inBucket } from './buckets.ts';
import { predicate } from './counted.ts';

/*
 * How orders become sums, in SQL. The same text adds the changes of the last second, recounts orders for a check or a rebuild, and answers
 * questions for which no sum is kept.
 */

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Column names of the tables of sums. A payment is counted twice: under its order's creation, and under its own time. */
const BY_COMPLETION = '_by_completion';
export const creationColumn = (sum: Sum): string => snake(sum);
export const completionColumn = (sum: Sum): string =>
  (PAYMENT_SUMS as readonly Sum[]).includes(sum) ? snake(sum) + BY_COMPLETION : snake(sum);
export const SUM_COLUMNS: readonly string[] = [
  ...SUMS.map(snake),
  ...PAYMENT_SUMS.map((sum) => snake(sum) + BY_COMPLETION),
];
/** Columns of numbers that hold a count for each bucket of a duration. */
export const TIME_COLUMNS: readonly string[] = TIMES.flatMap((kind) => [kind, kind + BY_COMPLETION]);
export const timeColumn = (kind: Times, filing: Filing): string =>
  filing === 'created' ? kind : kind + BY_COMPLETION;

/** The keys of a sum besides its time. Texts come last: PostgreSQL reads a column before them directly, and sorts by it twice as fast. */
export const KEYS: readonly string[] = [
  'merchant_id',
  'supplier_id',
  'account_id',
  'product_id',
  'mark',
  'direction',
  'currency',
];

export const columns = (names: readonly string[], alias = ''): Sql =>
  raw(names.map((name) => alias + name).join(', '));

/** The columns of statistics_changes, read from the orders themselves (alias `o`). `condition` begins with 'where'. */
export function ordersOf(direction: Direction, condition: Sql): Sql {
  return direction === 'in'
    ? sql`(select 1 as sign, 1 as told_sign, 'in' as direction, o.id, o.merchant_id, o.supplier_id, o.account_id, o.product_id, o.currency,
        o.mark, o.status, o.supplement_status, o.amount, o.received, o.fee, o.supplier_commission, o.agent_commission,
        o.allocated_at, o.created_at, o.paid_at as ended_at, o.reversed_at, o.told_at, o.told_attempt
        from collection_orders o ${condition})`
    : sql`(select 1 as sign, 1 as told_sign, 'out' as direction, o.id, o.merchant_id, o.supplier_id, o.account_id, o.product_id, o.currency,
        o.mark, o.status, 0 as supplement_status, o.amount, null::bigint as received, o.fee, o.supplier_commission,
        o.agent_commission, null::timestamptz as allocated_at, o.created_at, o.finished_at as ended_at, o.reversed_at, o.told_at,
        o.told_attempt from payout_orders o ${condition})`;
}

const COUNTED =
  raw(`id, direction, merchant_id, supplier_id, account_id, product_id, currency, mark, status, supplement_status, amount, received,
  fee, supplier_commission, agent_commission, allocated_at, created_at, ended_at, reversed_at, told_at, told_attempt`);

/**
 * The rows that the sums contain now: in any one snapshot the orders (`ordersOf`), and the waiting changes with the opposite sign.
 * `waiting` is an SQL condition on statistics_changes.
 */
export const lessWaiting = (orders: Sql, waiting: Sql): Sql => sql`(
  select sign, told_sign, ${COUNTED} from ${orders} o
  union all select -sign, -told_sign, ${COUNTED} from statistics_changes where ${waiting})`;

/** The half hours since 1970-01-01 00:00 in Asia/Kolkata. */
const slotOf = (moment: Sql): Sql => sql`floor((date_part('epoch', ${moment}) + 19800) / 1800)::int`;

/** What an order (alias `o`) adds to each sum. Null adds nothing; a sum skips it. */
function valuesOf(direction: Direction): Readonly<Record<Sum, Sql>> {
  const is = (counted: Parameters<typeof predicate>[1]) => predicate(direction, counted);
  const count = (counted: Parameters<typeof predicate>[1]) => sql`case when ${is(counted)} then o.sign end`;
  const told = (counted: 'toldFirst' | 'toldLater') => sql`case when ${is(counted)} then o.told_sign end`;
  const money = (counted: Parameters<typeof predicate>[1], of: Sql) =>
    sql`case when ${is(counted)} then o.sign * coalesce(${of}, 0) end`;
  const paid = direction === 'in' ? sql`o.received` : sql`o.amount`;
  return {
    created: sql`o.sign`,
    createdAmount: sql`o.sign * o.amount`,
    allocated: count('allocated'),
    allocatedAmount: money('allocated', sql`o.amount`),
    allocationFailed: count('allocationFailed'),
    allocationFailedAmount: money('allocationFailed', sql`o.amount`),
    timedOut: count('timedOut'),
    timedOutAmount: money('timedOut', sql`o.amount`),
    cancelled: count('cancelled'),
    cancelledAmount: money('cancelled', sql`o.amount`),
    rejected: count('rejected'),
    rejectedAmount: money('rejected', sql`o.amount`),
    toBeConfirmed: count('toBeConfirmed'),
    toBeConfirmedAmount: money('toBeConfirmed', sql`o.amount`),
    processingError: count('processingError'),
    processingErrorAmount: money('processingError', sql`o.amount`),
    paid: count('paid'),
    paidAmount: money('paid', paid),
    supplemented: count('supplemented'),
    supplementedAmount: money('supplemented', paid),
    reversed: count('reversed'),
    reversedAmount: money('reversed', paid),
    fee: money('netPaid', sql`o.fee`),
    commission: money('netPaid', sql`o.supplier_commission`),
    agentCommission: money('netPaid', sql`o.agent_commission`),
    toldFirst: told('toldFirst'),
    toldLater: told('toldLater'),
  };
}

const named = (value: Sql, name: string): Sql => sql`${value} as ${raw(name)}`;
const KEY_VALUES = sql`o.merchant_id, coalesce(o.supplier_id, 0) as supplier_id, coalesce(o.account_id, 0) as account_id,
  o.product_id, o.mark, o.direction, o.currency`;

/**
 * Rows of `from` (columns of statistics_changes, alias `o`) with the half hours of creation and payment, the buckets of durations, and
 * `filed`: 1 filed by creation, 2 by payment, 3 both in the same half hour (the usual case). Each half hour has its own row. unnest keeps
 * PostgreSQL from merging the subquery, so each part is computed once.
 */
const placed = (direction: Direction, from: Sql): Sql => {
  const ifPaid = (value: Sql) => sql`case when ${predicate(direction, 'paid')} then ${value} end`;
  return sql`(
    select o.*, unnest(case when o.paid is null then '{1}'::int[] when o.paid = o.made then '{3}'::int[] else '{1,2}'::int[] end) as filed
    from (
      select o.*, ${slotOf(sql`o.created_at`)} as made, ${ifPaid(slotOf(sql`o.ended_at`))} as paid,
        ${ifPaid(inBucket(sql`o.created_at`, sql`o.ended_at`))} as pay, ${ifPaid(inBucket(sql`o.ended_at`, sql`o.told_at`))} as tell
      from ${from} o where o.direction = ${raw(`'${direction}'`)}) o) o`;
};

/** 1 where a row counts as filed by creation (or by payment), else 0. */
const BY_CREATION = '(o.filed & 1)';
const BY_PAYMENT = '(o.filed >> 1)';

const SIGN_OF: Readonly<Record<Times, string>> = { pay: 'o.sign', tell: 'o.told_sign' };

/** Rows of `id`, `slot`, KEYS, SUM_COLUMNS and TIME_COLUMNS: what the rows of `from` add to the sums, one or two for each. */
export function filed(direction: Direction, from: Sql): Sql {
  const values = valuesOf(direction);
  const time = (kind: Times, is: string) =>
    sql`case when ${raw(`${is} = 1 and o.${kind} is not null`)} then ${raw(`${SIGN_OF[kind]} * o.${kind}`)} end`;
  const sums = [
    ...SUMS.map((sum) => named(sql`${raw(BY_CREATION)} * ${values[sum]}`, snake(sum))),
    ...PAYMENT_SUMS.map((sum) => named(sql`${raw(BY_PAYMENT)} * ${values[sum]}`, snake(sum) + BY_COMPLETION)),
    ...TIMES.flatMap((kind) => [
      named(time(kind, BY_CREATION), kind),
      named(time(kind, BY_PAYMENT), kind + BY_COMPLETION),
    ]),
  ];
  return sql`
    select o.id, case when o.filed = 2 then o.paid else o.made end as slot, ${KEY_VALUES}, ${join(sums)} from ${placed(direction, from)}`;
}
