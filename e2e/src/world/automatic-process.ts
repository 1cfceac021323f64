import { sql } from '@sangam/server/platform/db/database.ts';
import { inDatabase } from './database.ts';

/**
 * The payout is held as a batch or a gateway's dispatch holds it. No call does just this: it is what a process leaves behind
 * that has stopped half-way.
 */
export const holdByProcess = (orderCode: string): Promise<unknown> =>
  inDatabase((db) =>
    db.query(sql`
      update payout_orders set locked_by = 'batch/1', locked_at = now() where id = ${BigInt(orderCode)}`),
  );
