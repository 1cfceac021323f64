import { sql } from '@sangam/server/platform/db/database.ts';
import { inDatabase } from './database.ts';

/**
 * Holds the payout as a batch or the dispatch to a gateway does. No call does only this; it is what a process leaves behind that
 * stopped half-way.
 */
export const holdByProcess = (orderCode: string): Promise<unknown> =>
  inDatabase((db) =>
    db.query(sql`
      update payout_orders set locked_by = 'batch/1', locked_at = now() where id = ${BigInt(orderCode)}`),
  );
