import type { getLastOrder } from '@sangam/contract/endpoints/order.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY, MINUTE, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { perPlatform } from '../platform/node-state.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';

/** An answer may be so old; what is new is told by the realtime channel sooner anyway. */
const FRESH = SECOND;
/** A supplier that has not asked for so long is no longer asked for. */
const FORGOTTEN = MINUTE;

interface Newest {
  readonly id: bigint;
  readonly createdAt: Date;
}

interface Memory {
  readonly readAt: number;
  readonly ofAll: Newest | undefined;
  readonly bySupplier: ReadonlyMap<bigint, Newest>;
}

/** Every console polls this: one statement a second answers all of a node's, suppliers' included. */
const memories = perPlatform((platform) => {
  const askedAt = new Map<bigint, number>();
  let memory: Memory | undefined;
  let reading: Promise<Memory> | undefined;
  return async (supplierId: bigint | null): Promise<Newest | undefined> => {
    const now = platform.clock.now().getTime();
    // Of a supplier that asks for the first time the memory says nothing.
    const isKnown = supplierId === null || askedAt.has(supplierId);
    if (supplierId !== null) askedAt.set(supplierId, now);
    if (!memory || !isKnown || now - memory.readAt >= FRESH) {
      for (const [id, at] of askedAt) if (now - at > FORGOTTEN) askedAt.delete(id);
      if (!isKnown) await reading;
      reading ??= read(platform, [...askedAt.keys()]).finally(() => {
        reading = undefined;
      });
      memory = await reading;
    }
    return supplierId === null ? memory.ofAll : memory.bySupplier.get(supplierId);
  };
});

async function read(platform: Platform, supplierIds: readonly bigint[]): Promise<Memory> {
  const now = platform.clock.now();
  const since = firstIdAt(new Date(now.getTime() - DAY));
  const rows = await platform.db.query<Newest & { supplierId: bigint | null }>(sql`
    (select null::bigint as "supplierId", o.id, o.created_at as "createdAt" from collection_orders o
      where o.id >= ${since} order by o.id desc limit 1)
    union all
    select s.id, o.id, o.created_at from unnest(${supplierIds}::bigint[]) s (id)
    cross join lateral (
      select id, created_at from collection_orders
      where supplier_id = s.id and id >= ${since} order by id desc limit 1) o`);
  return {
    readAt: now.getTime(),
    ofAll: rows.find(({ supplierId }) => supplierId === null),
    bySupplier: new Map(rows.flatMap((row) => (row.supplierId === null ? [] : [[row.supplierId, row]]))),
  };
}

/** The newest order of a day that the viewer may see, at most a second late: what the notifier polls. */
export async function lastOrder(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof getLastOrder.output>> {
  const newest = await memories(platform)(viewer.role === 'supplier' ? viewer.supplierId : null);
  return {
    orderCode: newest ? String(newest.id) : null,
    createTime: newest ? formatTime(newest.createdAt) : null,
  };
}
