import { type Tx, hot, sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { placeMessages } from '../trusted-chain/place.ts';
import { partingFrom, storedBeside, type Told } from './claim-movements.ts';
import { fingerprintAfter, referenceFingerprint } from './place.ts';
import { movedAtOf } from './reported-amounts.ts';
import { claimFingerprints } from './store.ts';

interface Repeat extends Told {
  readonly direction: 'credit' | 'debit';
  readonly accountId: bigint;
  readonly monitorId: bigint;
  readonly amount: bigint;
  readonly balance: bigint | null;
  readonly utr: string;
  readonly movedAt: Date;
}

/**
 * Looks again at credits that were filed as repeats, once a debit that names their payment is stored: the bank may have taken the payment
 * back and credited it again, and the phone may report that debit last. A credit that the debit parts from all others is new money, as if
 * it came now (`claimMovements`): it is ambiguous and gets its place in the chain, which the caller holds. One that names no minute stays a
 * repeat, because it was there before the debit. The same holds for debits that were filed as repeats, and a credit of their number.
 */
export async function reopenRepeats(
  platform: Platform,
  tx: Tx,
  repeatIds: readonly bigint[],
  at: Date,
): Promise<void> {
  if (repeatIds.length === 0) return;
  const repeats = await tx.query<Repeat>(
    hot(
      'repeats of what went back',
      sql`
    select m.id, m.direction, m.amount, m.utr, m.text, m.reason, m.received_at as "receivedAt", m.reported_at as "reportedAt",
      m.bank_time as "bankTime", m.time_precision as "timePrecision", m.account_id as "accountId", m.monitor_id as "monitorId", m.balance,
      ${movedAtOf(sql`m`)} as "movedAt"
    from messages m where m.id = any(${repeatIds}) and m.time_precision in ('second', 'minute') order by m.id`,
    ),
  );
  for (const told of repeats) {
    const { id: messageId, accountId, monitorId, direction, amount, utr, balance, movedAt } = told;
    const known = await storedBeside(tx, monitorId, [{ messageId, accountId, told }], at);
    const parting = partingFrom(
      known.filter(({ id }) => id !== messageId),
      told,
    );
    if (parting === undefined) continue;
    const fingerprint = fingerprintAfter(referenceFingerprint(direction, amount, utr), parting);
    const repeated = await claimFingerprints(tx, [{ messageId, accountId, fingerprint }]);
    if (repeated.has(messageId)) continue;
    const [state, reason] = direction === 'credit' ? ['ambiguous', 'wentBack'] : ['ignored', 'debit'];
    await tx.query(sql`update messages set state = ${state}, reason = ${reason} where id = ${messageId}`);
    const movement = { direction, amount, balance, movedAt, isPrecise: true } as const;
    await placeMessages(platform, tx, [{ messageId, accountId, ...movement }], at);
  }
}

/** The debits that were filed as repeats, of the numbers and accounts of these stored credits. */
export async function repeatedDebits(tx: Tx, creditIds: readonly bigint[]): Promise<readonly bigint[]> {
  if (creditIds.length === 0) return [];
  const rows = await tx.query<{ id: bigint }>(sql`
    select d.id from messages c join messages d on d.utr = c.utr and d.account_id = c.account_id
    where c.id = any(${creditIds}) and d.direction = 'debit' and d.state = 'duplicate' and d.reason = 'sameMovement'`);
  return rows.map(({ id }) => id);
}
