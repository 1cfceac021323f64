import { sql } from '../platform/db/database.ts';
import { MINUTE } from '../platform/clock.ts';
import type { Platform } from '../platform/platform.ts';
import { CHECKS, verify } from '../verify/verify.ts';

/** A machine that stands still for seconds must not fail a test. */
const LIMIT = { snapshotLimit: MINUTE };

/** The checks that do not hold, each with its first row. Empty when the books are right. */
export async function brokenChecks(platform: Platform): Promise<string[]> {
  const broken: string[] = [];
  // One snapshot, as the job sees it. The stricter isolation of a test lane would track every row of every table.
  await platform.db.tx(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read read only`);
    broken.length = 0;
    for await (const { name, ok, detail } of verify((read) => read(tx), CHECKS, LIMIT))
      if (!ok) broken.push(`${name}: ${detail}`);
  });
  return broken;
}

/** An owner's balances in INR, by bucket. Buckets that were never used are absent. */
export async function balancesIn(
  platform: Platform,
  ownerKind: 'merchant' | 'supplier',
  ownerId: bigint,
): Promise<Record<string, bigint>> {
  const rows = await platform.db.query<{ bucket: string; balance: bigint }>(sql`
    select bucket, balance from ledger_accounts
    where owner_kind = ${ownerKind} and owner_id = ${ownerId} and currency = 'INR' order by bucket`);
  return Object.fromEntries(rows.map((row) => [row.bucket, row.balance]));
}
