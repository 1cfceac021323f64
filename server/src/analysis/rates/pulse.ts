import { type RateKind, rateSubject } from '@sangam/contract/alerts.ts';
import { ORDER_MARK } from '@sangam/contract/orders.ts';
import { DAY } from '../../platform/clock.ts';
import { type Queryable, type Sql, sql } from '../../platform/db/database.ts';
import { firstIdAt } from '../../platform/db/ids.ts';
import { OLDEST, PACE_WINDOW, type Recent, SLOT_MS, type Usual, arrivedBy } from './judge.ts';

export interface Key {
  readonly kind: RateKind;
  /** Unique among all keys, such as `merchant 7 INR`. */
  readonly subject: string;
  readonly name: string;
  readonly merchantId: bigint | null;
  /** Only for an account: the subject of its bank. */
  readonly within: string | undefined;
}

/** The most orders that are read, the newest first. On a busier platform fewer minutes tell as much. */
const MOST_ORDERS = 200_000;
const WEEKS = 4;

interface Row {
  readonly productId: number;
  readonly product: string;
  readonly merchantId: bigint;
  readonly merchant: string;
  readonly accountId: bigint | null;
  readonly account: string | null;
  readonly bank: string | null;
  readonly currency: string;
  readonly age: number;
  /** Slots from creation to payment. Null: not paid. */
  readonly delay: number | null;
  readonly orders: number;
}

/** Orders created in a span, grouped by all the fields that are read. */
function read(db: Queryable, from: Date, to: Date, now: Date): Promise<Row[]> {
  const slots = (later: Sql) =>
    sql`greatest(0, least(${OLDEST}::int, floor(extract(epoch from ${later} - o.created_at) * 1000 / ${SLOT_MS}::int)::int))`;
  return db.query<Row>(sql`
    select g.*, p.name as product, m.name as merchant, a.bank, a.bank || ' ' || a.account_tail as account
    from (
      select o.product_id as "productId", o.merchant_id as "merchantId", o.account_id as "accountId", o.currency,
        ${slots(sql`${now}::timestamptz`)} as age,
        case when o.paid_at is not null then ${slots(sql`o.paid_at`)} end as delay, count(*)::int as orders
      from (
        select * from collection_orders where id >= ${firstIdAt(from)} and id < ${firstIdAt(to)} and mark <> ${ORDER_MARK.test}
        order by id desc limit ${MOST_ORDERS}
      ) o group by 1, 2, 3, 4, 5, 6
    ) g
    join products p on p.id = g."productId" join merchants m on m.id = g."merchantId"
    left join accounts a on a.id = g."accountId"`);
}

function keysOf(row: Row): Key[] {
  const { currency } = row;
  const bank = row.bank === null ? undefined : rateSubject('bank', row.bank, currency);
  const key = (kind: RateKind, id: bigint | number, name: string): Key => ({
    kind,
    subject: rateSubject(kind, id, currency),
    name: `${name} · ${currency}`,
    merchantId: kind === 'merchant' ? row.merchantId : null,
    within: kind === 'account' ? bank : undefined,
  });
  return [
    key('product', row.productId, row.product),
    key('merchant', row.merchantId, row.merchant),
    ...(bank === undefined
      ? []
      : [
          {
            kind: 'bank' as const,
            subject: bank,
            name: `${row.bank} · ${currency}`,
            merchantId: null,
            within: undefined,
          },
        ]),
    ...(row.accountId === null ? [] : [key('account', row.accountId, row.account!)]),
  ];
}

const empty = () => Array.from({ length: OLDEST + 1 }, () => 0);

/** The recent orders of every key that has any. */
export async function readRecent(
  db: Queryable,
  now: Date,
): Promise<Map<string, { readonly key: Key; readonly recent: Recent }>> {
  // Ids of another node's orders may be ahead of this node's clock.
  const rows = await read(db, new Date(now.getTime() - OLDEST * SLOT_MS), new Date(now.getTime() + DAY), now);
  const found = new Map<
    string,
    { key: Key; recent: { created: number[]; paid: number[]; delays: number[] } }
  >();
  for (const row of rows)
    for (const key of keysOf(row)) {
      const { recent } = found.get(key.subject) ?? {
        recent: { created: empty(), paid: empty(), delays: empty() },
      };
      found.set(key.subject, { key, recent });
      recent.created[row.age]! += row.orders;
      if (row.delay === null) continue;
      const since = Math.max(0, row.age - row.delay);
      recent.paid[since]! += row.orders;
      if (since < PACE_WINDOW) recent.delays[row.delay]! += row.orders;
    }
  return found;
}

/** What is usual in a half hour: the same half hour in the four weeks before. */
export async function readUsual(db: Queryable, halfHour: Date, lasts: number): Promise<Map<string, Usual>> {
  const found = new Map<string, { weeks: { orders: number; paid: number }[]; delays: number[] }>();
  const now = new Date(halfHour.getTime() + lasts);
  for (let week = 1; week <= WEEKS; week += 1) {
    const from = new Date(halfHour.getTime() - week * 7 * DAY);
    for (const row of await read(db, from, new Date(from.getTime() + lasts), now))
      for (const { subject } of keysOf(row)) {
        const each = found.get(subject) ?? {
          weeks: Array.from({ length: WEEKS }, () => ({ orders: 0, paid: 0 })),
          delays: empty(),
        };
        found.set(subject, each);
        const counted = each.weeks[week - 1]!;
        counted.orders += row.orders;
        if (row.delay === null) continue;
        counted.paid += row.orders;
        each.delays[row.delay]! += row.orders;
      }
  }
  return new Map(
    [...found].map(([subject, { weeks, delays }]) => [subject, { weeks, arrived: arrivedBy(delays) }]),
  );
}
