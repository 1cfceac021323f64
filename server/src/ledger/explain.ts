import type { explain } from '@sangam/contract/endpoints/fund.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { sql, type Tx } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { isRefusal, refuse, type Refusal } from '../refusal.ts';
import type { Viewer } from '../viewer.ts';
import { ownerAsked } from './owner.ts';

type Output = z.input<typeof explain.output>;

const NEWEST = 50;

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

/**
 * Why a balance is what it is: all that ever moved it by posting kind, which adds up to it, and the newest entries with
 * their orders; fundRecord/getList goes further back. All of one moment.
 */
export function explainBalance(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof explain.input>,
): Promise<Output | Refusal> {
  const owner = ownerAsked(viewer, input);
  if (isRefusal(owner)) return Promise.resolve(owner);
  return platform.db.tx(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read read only`);
    const [of] = await tx.query<Balance>(sql`
      select sum(balance)::bigint as balance, min(floor) as floor, array_agg(id) as ids from ledger_accounts
      where owner_kind = ${owner.ownerKind} and owner_id = ${owner.ownerId} and currency = ${input.currency}
        and bucket = ${input.bucket}
      having count(*) > 0`);
    if (!of) return refuse('notFound');
    const totals = await tx.query<Output['totals'][number] & { amount: bigint }>(sql`
      select p.kind as "postingKind", count(*)::int as count, sum(e.amount)::bigint as amount
      from ledger_entries e join postings p on p.id = e.posting_id
      where e.account_id = any(${of.ids}) group by 1 order by 1`);
    const newest = await newestEntries(tx, of.ids);
    return {
      balance: Number(of.balance),
      floor: of.floor === null ? null : Number(of.floor),
      totals: totals.map((row) => ({ ...row, amount: Number(row.amount) })),
      newest: newest.map(({ orderId, createdAt, ...row }) => ({
        ...row,
        id: String(row.id),
        postingId: String(row.postingId),
        orderCode: orderId === null ? null : String(orderId),
        amount: Number(row.amount),
        balanceAfter: Number(row.balanceAfter),
        time: formatTime(createdAt),
      })),
    };
  });
}

function newestEntries(tx: Tx, accountIds: readonly bigint[]): Promise<Entry[]> {
  return tx.query<Entry>(sql`
    select e.id, e.posting_id as "postingId", p.kind as "postingKind", p.order_id as "orderId", e.amount,
      e.balance_after as "balanceAfter", p.reason, e.created_at as "createdAt"
    from ledger_entries e join postings p on p.id = e.posting_id
    where e.account_id = any(${accountIds}) order by e.id desc limit ${NEWEST}`);
}
