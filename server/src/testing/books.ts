import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { verify } from '../verify/verify.ts';

/** The checks that do not hold, each with its first row: empty when the books are in order. */
export async function brokenChecks(platform: Platform): Promise<string[]> {
  const broken: string[] = [];
  // One moment, as the job sees it; a lane's stricter isolation would keep watch over every row of every table.
  await platform.db.tx(async (tx) => {
    await tx.query(sql`set transaction isolation level repeatable read read only`);
    broken.length = 0;
    for await (const { name, ok, detail } of verify((read) => read(tx)))
      if (!ok) broken.push(`${name}: ${detail}`);
  });
  return broken;
}

/** An owner's balances by bucket in INR; buckets never touched are absent. */
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
