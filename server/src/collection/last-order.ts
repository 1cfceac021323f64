import type { getLastOrder, getNewOrders } from '@sangam/contract/endpoints/order.ts';
import { MOST_NEW_ORDERS } from '@sangam/contract/orders.ts';
import type { Currency } from '@sangam/contract/money.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { READERS } from '@sangam/contract/endpoints/story.ts';
import { formatTime } from '@sangam/contract/time.ts';
import type { z } from 'zod';
import { DAY, MINUTE, SECOND } from '../platform/clock.ts';
import { empty, type Sql, sql } from '../platform/db/database.ts';
import { perPlatform } from '../platform/node-state.ts';
import { firstIdAt } from '../platform/db/ids.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { orderScope } from './actions.ts';

/** The age an answer may have. The realtime channel reports new orders sooner anyway. */
const FRESH = SECOND;
/** A supplier that has not asked for this long is left out of the statement. */
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

/** Every console polls this. One statement a second answers all consoles of a node, those of suppliers included. */
const memories = perPlatform((platform) => {
  const askedAt = new Map<bigint, number>();
  let memory: Memory | undefined;
  let reading: Promise<Memory> | undefined;
  return async (supplierId: bigint | null): Promise<Newest | undefined> => {
    const now = platform.clock.now().getTime();
    // The memory holds nothing for a supplier that asks for the first time.
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

/** The newest order of a day that the viewer may see, at most a second late. The notifier polls it. */
export async function lastOrder(
  platform: Platform,
  viewer: Viewer,
): Promise<z.input<typeof getLastOrder.output>> {
  const newest = await memories(platform)(viewer.role === 'supplier' ? viewer.supplierId : null);
  return {
    orderCode: newest ? String(newest.id) : null,
    createTime: newest ? formatTime(newest.createdAt) : null,
    notice: await isNotified(platform, viewer),
  };
}

/** Whether the viewer's role gets notices of new orders. */
export async function isNotified({ settings }: Platform, { role }: Viewer): Promise<boolean> {
  const { NewOrderNotice } = await settings.all();
  return NewOrderNotice.includes(role);
}

const LISTED = 20;

interface NewOrder extends Newest {
  readonly amount: bigint;
  readonly currency: Currency;
  readonly merchantName: string;
}

/** The newest orders of the last day after a given one. `scope`: SQL condition on orders `o`, of the form `and ...`. */
function readNew(platform: Platform, after: bigint, scope: Sql): Promise<NewOrder[]> {
  const since = firstIdAt(new Date(platform.clock.now().getTime() - DAY));
  return platform.db.query<NewOrder>(sql`
    select o.id, o.created_at as "createdAt", o.amount, o.currency, m.name as "merchantName"
    from (select o.* from collection_orders o
      where o.id > ${after > since ? after : since} ${scope} order by o.id desc limit ${MOST_NEW_ORDERS + 1}) o
    join merchants m on m.id = o.merchant_id order by o.id desc`);
}

/** Every window of staff asks while an order is unseen. One statement a second answers all windows of a node. */
const newOfAll = perPlatform((platform) => {
  let memory: { readonly readAt: number; readonly rows: Promise<NewOrder[]> } | undefined;
  return (): Promise<NewOrder[]> => {
    const now = platform.clock.now().getTime();
    if (!memory || now - memory.readAt >= FRESH) memory = { readAt: now, rows: readNew(platform, 0n, empty) };
    return memory.rows;
  };
});

/** What the notifier shows of the orders after the last one its user has seen. Staff get it at most a second late. */
export async function newOrders(
  platform: Platform,
  viewer: Viewer,
  { after }: { readonly after: string },
): Promise<z.input<typeof getNewOrders.output>> {
  const seen = BigInt(after);
  const rows =
    viewer.role === 'supplier'
      ? await readNew(platform, seen, orderScope(viewer))
      : (await newOfAll(platform)()).filter(({ id }) => id > seen);
  // Technical support has no list of orders: it only learns that there are new ones.
  const readers: readonly Role[] = READERS;
  const opens = readers.includes(viewer.role);
  return {
    count: rows.length,
    list: rows.slice(0, LISTED).map(({ id, createdAt, amount, currency, merchantName }) => ({
      orderCode: String(id),
      createTime: formatTime(createdAt),
      ...(opens ? { amount: Number(amount), currency } : {}),
      ...(opens && viewer.role !== 'supplier' ? { merchantName } : {}),
    })),
  };
}
