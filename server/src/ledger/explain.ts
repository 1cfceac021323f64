import type { explain } from '@sangam/contract/endpoints/fund.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY } from '../platform/clock.ts';
import { empty, sql, type Tx } from '../platform/db/database.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import { endOf } from '../platform/db/page.ts';
import type { Platform } from '../platform/platform.ts';
import { isRefusal, refuse, type Refusal, wrongInput } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { reasonFor } from './as-shown.ts';
import { ownerAsked } from './owner.ts';
import { LONGEST } from './statement.ts';

type Input = z.output<typeof explain.input>;
type Output = z.input<typeof explain.output>;

const PAGE = 50;
const DEFAULT_PERIOD = 31 * DAY;

interface Balance {
  readonly balance: bigint;
  readonly floor: bigint | null;
  readonly ids: bigint[];
}

interface Entry {
  readonly id: bigint;
  readonly postingId: bigint;
  readonly postingKind: string;
  readonly orderId: bigint | null;
  readonly amount: bigint;
  readonly balanceAfter: bigint;
  readonly reason: string | null;
  readonly createdAt: Date;
}

/** Entry ids of a period: `from` included, `to` not. */
interface Span {
  readonly start: Date;
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Why a balance is what it is: its value before the period, the sums by posting kind since then, and the period's entries with
 * their orders, page by page. The opening value is computed backwards from the present balance, in one snapshot. Entries before
 * the period are not read.
 */
export async function explainBalance(
  platform: Platform,
  viewer: Viewer,
  input: Input,
): Promise<Output | Refusal> {
  const owner = ownerAsked(viewer, input);
  if (isRefusal(owner)) return owner;
  const span = spanOf(platform, input);
  if (isRefusal(span)) return span;
  const size = input.pageSize ?? PAGE;
  return platform.db.tx(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read read only`);
    const [of] = await tx.query<Balance>(sql`
      select sum(balance)::bigint as balance, min(floor) as floor, array_agg(id) as ids from ledger_accounts
      where owner_kind = ${owner.ownerKind} and owner_id = ${owner.ownerId} and currency = ${input.currency}
        and bucket = ${input.bucket}
      having count(*) > 0`);
    if (!of) return refuse('notFound');
    const moved = await tx.query<{
      postingKind: string;
      isAfter: boolean;
      count: number;
      amount: bigint;
    }>(sql`
      select p.kind as "postingKind", e.id >= ${span.to} as "isAfter", count(*)::int as count, sum(e.amount)::bigint as amount
      from ledger_entries e join postings p on p.id = e.posting_id
      where e.account_id = any(${of.ids}) and e.id >= ${span.from} group by 1, 2 order by 1`);
    const sum = (rows: typeof moved) => rows.reduce((total, row) => total + row.amount, 0n);
    const totals = moved.filter((row) => !row.isAfter);
    const newest = await entriesOf(tx, of.ids, span, input.cursor, size);
    return {
      balance: Number(of.balance),
      opening: Number(of.balance - sum(moved)),
      closing: Number(of.balance - sum(moved) + sum(totals)),
      startTime: formatTime(span.start),
      floor: of.floor === null ? null : Number(of.floor),
      totals: totals.map(({ postingKind, count, amount }) => ({
        postingKind,
        count,
        amount: Number(amount),
      })),
      nextCursor: newest.length === size ? String(newest.at(-1)!.id) : null,
      newest: newest.map(({ orderId, createdAt, ...row }) => ({
        ...row,
        id: String(row.id),
        postingId: String(row.postingId),
        orderCode: orderId === null ? null : String(orderId),
        amount: Number(row.amount),
        balanceAfter: of.ids.length > 1 ? null : Number(row.balanceAfter),
        reason: reasonFor(viewer, row),
        time: formatTime(createdAt),
      })),
    };
  });
}

function spanOf(platform: Platform, input: Input): Span | Refusal {
  const end = input.endTime === undefined ? platform.clock.now() : endOf(input.endTime)!;
  const start =
    input.startTime === undefined ? new Date(end.getTime() - DEFAULT_PERIOD) : parseTime(input.startTime)!;
  const length = end.getTime() - start.getTime();
  if (length <= 0 || length > LONGEST) return wrongInput('startTime', 'endTime');
  // Without an end the period includes entries of another node whose clock is ahead of ours.
  const to = input.endTime === undefined ? MAX_ID : firstIdAt(end);
  return { start, from: firstIdAt(start), to };
}

const MAX_ID = 2n ** 63n - 1n;

function entriesOf(
  tx: Tx,
  accountIds: readonly bigint[],
  { from, to }: Span,
  cursor: string | undefined,
  limit: number,
): Promise<Entry[]> {
  return tx.query<Entry>(sql`
    select e.id, e.posting_id as "postingId", p.kind as "postingKind", p.order_id as "orderId", e.amount,
      e.balance_after as "balanceAfter", p.reason, e.created_at as "createdAt"
    from ledger_entries e join postings p on p.id = e.posting_id
    where e.account_id = any(${accountIds}) and e.id >= ${from} and e.id < ${to}
      ${cursor === undefined ? empty : sql`and e.id < ${cursor}::bigint`}
    order by e.id desc limit ${limit}`);
}
