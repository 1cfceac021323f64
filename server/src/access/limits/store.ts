import { type Queryable, sql } from '../../platform/db/database.ts';
import { ALIVE_WITHIN, LEASE } from '../../platform/db/node-slot.ts';
import { LIMIT_COLUMNS, type LimitsRow } from './columns.ts';

/** Merchants that have a limit. They are few, so all are read. */
export function readLimited(db: Queryable): Promise<(LimitsRow & { readonly id: bigint })[]> {
  return db.query(sql`
    select id, ${LIMIT_COLUMNS} from merchants
    where calls_per_second is not null or cardinality(pay_in_ips || payout_ips || console_ips) > 0`);
}

/** Nodes that answer calls and have reported lately. The share of a dead node goes to the others within seconds. */
export async function countNodes(db: Queryable): Promise<number> {
  const [row] = await db.query<{ nodes: number }>(sql`
    select count(*)::int as nodes from node_slots where takes_calls and leased_until > now() + ${LEASE - ALIVE_WITHIN} * interval '1 ms'`);
  return row!.nodes;
}
