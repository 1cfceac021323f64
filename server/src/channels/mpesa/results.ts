import type { CheckAnswer } from '../payout-channel.ts';
import { type Queryable, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';

/** Stores a result. A final result stays; nothing that comes later changes it. */
export async function keepResult(
  platform: Platform,
  key: string,
  answer: Exclude<CheckAnswer, { state: 'unknown' }>,
  amount: bigint | undefined,
): Promise<void> {
  const receipt = answer.state === 'processed' ? answer.utr : null;
  const reason = answer.state === 'failed' ? answer.reason : null;
  await platform.db.query(sql`
    insert into mpesa_results as w (key, state, receipt, reason, amount, reported_at)
    values (${key}, ${answer.state}, ${receipt}, ${reason}, ${amount ?? null}, ${platform.clock.now()})
    on conflict (key) do update set state = excluded.state, receipt = excluded.receipt, reason = excluded.reason,
      amount = excluded.amount, reported_at = excluded.reported_at
    where w.state = 'processing'`);
}

/** M-Pesa's last result of a send. */
export async function readResult(db: Queryable, key: string): Promise<CheckAnswer | undefined> {
  const [row] = await db.query<{
    state: 'processing' | 'processed' | 'failed';
    receipt: string | null;
    reason: string | null;
    amount: bigint | null;
  }>(sql`select state, receipt, reason, amount from mpesa_results where key = ${key}`);
  if (!row) return undefined;
  if (row.state === 'processed')
    return { state: 'processed', utr: row.receipt, amount: row.amount ?? undefined };
  return row.state === 'failed' ? { state: 'failed', reason: row.reason ?? '' } : { state: 'processing' };
}
