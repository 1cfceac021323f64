import { sql } from '../platform/db/database.ts';
import type { Check } from './check.ts';

/** The result of the check of the sealed audit (server/src/audit/turn.ts). */
export const SEAL_CHECKS: readonly Check[] = [
  {
    name: 'every sealed row is as it was sealed',
    statement: sql`
      select kind || ' ' || row_id || ' ' || fault || coalesce(', block ' || block, '') as detail
      from audit_faults where gone_at is null order by found_at, row_id`,
  },
];
