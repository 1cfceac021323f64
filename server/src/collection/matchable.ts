import { type Tx, sql } from '../db/database.ts';
import { WAITING_COLUMNS, type WaitingOrder } from './waiting.ts';

/** What credits on some accounts may point at orders with. */
export interface MatchQuery {
  readonly accountIds: readonly bigint[];
  /** Minor units. */
  readonly amounts: readonly bigint[];
  readonly references: readonly string[];
  readonly identifyCodes: readonly string[];
}

/** Locks, in id order, the waiting orders of these accounts that any of the evidence could mean. */
export function lockMatchable(tx: Tx, query: MatchQuery): Promise<WaitingOrder[]> {
  return tx.query<WaitingOrder>(sql`
    select ${WAITING_COLUMNS} from waiting_orders w
    where w.account_id = any(${query.accountIds})
      and (w.payable = any(${query.amounts}) or w.amount = any(${query.amounts})
        or w.payer_utr = any(${query.references}) or w.identify_code = any(${query.identifyCodes}))
    order by w.order_id for update`);
}
