import { sql } from '../db/database.ts';
import type { Platform } from '../platform.ts';
import { verify } from '../verify/verify.ts';

/** The checks that do not hold, each with its first row: empty when the books are in order. */
export async function brokenChecks(platform: Platform): Promise<string[]> {
  const broken: string[] = [];
  for await (const { name, ok, detail } of verify(platform.db)) if (!ok) broken.push(`${name}: ${detail}`);
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
