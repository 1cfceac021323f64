import type { getAuditSeal } from '@sangam/contract/endpoints/audit.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { newestBlock } from './block.ts';
import type { Fault } from './check.ts';
import { checkState } from './turn.ts';

/** How many faults are listed. `faultCount` counts all. */
const NAMED = 50;

/** Up to which block everything sealed was found unchanged, and which faults there are. */
export async function auditSeal(platform: Platform): Promise<z.input<typeof getAuditSeal.output>> {
  const { db } = platform;
  const [newest, state] = await Promise.all([newestBlock(db), checkState(platform)]);
  const [good] = await db.query<{ sealedAt: Date }>(sql`
    select sealed_at as "sealedAt" from audit_blocks where number = ${state?.goodTo ?? 0n}`);
  const faults = await db.query<Fault & { readonly count: number }>(sql`
    select kind, row_id as "rowId", fault, block, count(*) over ()::int as count from audit_faults
    where gone_at is null order by found_at, kind, row_id limit ${NAMED}`);
  const time = (at: Date | null | undefined) => (at ? formatTime(at) : null);
  return {
    intactTo: time(good?.sealedAt),
    block: newest ? String(newest.number) : null,
    hash: newest ? newest.hash.toString('hex') : null,
    sealedTo: time(newest?.sealedAt),
    lookedAt: time(state?.lookedAt),
    publicKey: platform.auditSeal.publicKey,
    faultCount: faults[0]?.count ?? 0,
    faults: faults.map(({ kind, rowId, fault, block }) => ({
      kind,
      rowId: String(rowId),
      fault,
      block: block === null ? null : String(block),
    })),
  };
}
