import { takeChanges } from '../history/changes.ts';
import { type Tx, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { countAddresses } from './count-addresses.ts';
import { type Source, type SourceFacts, sourceOf, sumChanges } from './source.ts';
import { addAcknowledged, addSums, readSources, writeSources } from './store.ts';

/** Orders of one transaction. Its locks last some tens of milliseconds. */
const BATCH = 2_000;
/** The advisory lock of counting. One node counts at a time, because a second would wait for its rows. */
const LOCK = 7_426_018;

/**
 * Counts the orders that have changed, in short transactions until none are left. Answers how many changes. It subtracts what an order
 * counted as before and adds what it counts as now, so repeated counting on any node does no harm: the sums always equal the orders, except
 * for changes that still wait.
 */
export async function countChanges(
  platform: Platform,
  shouldStop: () => boolean = () => false,
): Promise<number> {
  let counted = 0;
  for (;;) {
    const taken = await platform.db.tx((tx) => countBatch(platform, tx));
    counted += taken;
    if (taken < BATCH || shouldStop()) return counted;
  }
}

async function countBatch(platform: Platform, tx: Tx): Promise<number> {
  const [lock] = await tx.query<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${LOCK}) as mine`);
  if (!lock!.mine) return 0;
  const { taken, orderIds: changedIds, told } = await takeChanges(tx, BATCH);
  const counted = await addAcknowledged(tx, told);
  const orderIds = [...changedIds, ...told.filter((id) => !counted.has(id))];
  if (orderIds.length === 0) return taken;
  const [facts, known] = await Promise.all([readFacts(tx, orderIds), readSources(tx, orderIds)]);
  const pairs = facts.map((each): { facts: SourceFacts; before: Source | undefined; after: Source } => {
    const before = known.get(each.orderId);
    return { facts: each, before, after: sourceOf(each, before) };
  });
  const changed = pairs.filter(({ before, after }) => !before || !isSame(before, after));
  writeSources(
    tx,
    changed.map(({ after }) => after),
  );
  addSums(tx, sumChanges(changed));
  await countAddresses(platform, tx, changed);
  return taken;
}

function isSame(a: Source, b: Source): boolean {
  return (Object.keys(b) as (keyof Source)[]).every((key) => a[key] === b[key]);
}

/** The ids of payouts find nothing here. */
function readFacts(tx: Tx, orderIds: readonly bigint[]): Promise<SourceFacts[]> {
  return tx.query<SourceFacts>(sql`
    select o.id as "orderId", o.merchant_id as "merchantId", o.currency, o.amount, o.received, o.status, o.mark,
      o.client_ip as "clientIp", o.payer_utr is not null as told, o.created_at as "createdAt", o.account_id as "accountId",
      o.user_name as "userName", a.bank, v.opened_at is not null as opened, v.seen_at is not null as seen, v.referrer, v.device
    from collection_orders o left join accounts a on a.id = o.account_id left join order_visits v on v.order_id = o.id
    where o.id = any(${orderIds})`);
}
