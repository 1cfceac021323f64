import type { Direction } from '@sangam/contract/products.ts';
import { type Queryable, sql } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/db/ids.ts';

/** How many events one round reads at most. The next round reads the rest. */
const MOST_EVENTS = 2_000;

/** A step in an order's history, with the fields that decide who may see the order. */
export interface OrderNews {
  readonly id: bigint;
  readonly orderId: bigint;
  readonly kind: string;
  readonly from: number | null;
  readonly to: number | null;
  readonly createdAt: Date;
  readonly direction: Direction;
  readonly productId: number;
  readonly merchantId: bigint;
  readonly supplierId: bigint | null;
}

/** Events since a moment, without the known ones. Ids of several nodes do not commit in order, so each round looks back. */
export function readOrderNews(db: Queryable, since: Date, known: readonly bigint[]): Promise<OrderNews[]> {
  return db.query<OrderNews>(sql`
    select e.id, e.order_id as "orderId", e.kind, e.from_status as "from", e.to_status as "to",
      e.created_at as "createdAt", n.direction, coalesce(c.product_id, p.product_id) as "productId",
      n.merchant_id as "merchantId", coalesce(c.supplier_id, p.supplier_id) as "supplierId"
    from order_events e
    join merchant_orders n on n.order_id = e.order_id
    left join collection_orders c on c.id = e.order_id and n.direction = 'in'
    left join payout_orders p on p.id = e.order_id and n.direction = 'out'
    where e.id >= ${firstIdAt(since)} and e.id <> all(${known}::bigint[])
    order by e.id desc limit ${MOST_EVENTS}`);
}

/** Another event: a session ended, a message arrived, a request moved, a setting changed, an alert moved. */
export interface OtherNews {
  readonly kind: 'session' | 'message' | 'approval' | 'setting' | 'alert';
  /** Unique among the events of this kind. */
  readonly key: string;
  /** The session; for other kinds the user whom it concerns first: the recipient of a message, the starter of a request. */
  readonly subjectId: bigint | null;
  /** The kind of the request or alert, or the name of the setting. */
  readonly detail: string | null;
}

/** One statement for all kinds, because every node asks several times a second. */
export function readOtherNews(db: Queryable, since: Date): Promise<OtherNews[]> {
  return db.query<OtherNews>(sql`
    select 'session' as kind, id::text as key, id as "subjectId", null as detail
    from sessions where ended_at >= ${since}
    union all
    select 'message', id::text, user_id, null from inbox_messages where id >= ${firstIdAt(since)}
    union all
    select 'approval', id || status, started_by, kind
    from approvals where id >= ${firstIdAt(since)} or decided_at >= ${since}
    union all
    select 'alert', concat(id, acknowledged_at, closed_at), null, kind from alerts
    where id >= ${firstIdAt(since)} or acknowledged_at >= ${since} or closed_at >= ${since}
    union all
    select 'setting', name || updated_at, null, name from settings where updated_at >= ${since}`);
}

/** What a supplier sees in addition to its own rows. */
export interface SupplierVisibility {
  /** The suppliers below it, on all levels. */
  readonly team: ReadonlySet<bigint>;
  /** The payout products whose waiting orders it may claim. */
  readonly products: ReadonlySet<number>;
}

export async function readVisibility(
  db: Queryable,
  supplierIds: readonly bigint[],
  levels: number,
): Promise<ReadonlyMap<bigint, SupplierVisibility>> {
  const [team, products] = await Promise.all([
    db.query<{ root: bigint; id: bigint }>(sql`
      with recursive team (root, id, level) as (
        select agent_id, id, 1 from suppliers where agent_id = any(${supplierIds})
        union all
        select t.root, s.id, level + 1 from suppliers s join team t on s.agent_id = t.id where t.level < ${levels}
      ) select root, id from team`),
    db.query<{ ownerId: bigint; productId: number }>(sql`
      select u.owner_id as "ownerId", u.product_id as "productId" from user_products u
      join products p on p.id = u.product_id and p.enabled and p.direction = 'out'
      join suppliers s on s.id = u.owner_id and s.enabled
      where u.owner_kind = 'supplier' and u.owner_id = any(${supplierIds}) and u.enabled`),
  ]);
  return new Map(
    supplierIds.map((supplierId) => [
      supplierId,
      {
        team: new Set(team.filter(({ root }) => root === supplierId).map(({ id }) => id)),
        products: new Set(
          products.filter(({ ownerId }) => ownerId === supplierId).map(({ productId }) => productId),
        ),
      },
    ]),
  );
}
