import { type Tx, join, raw, sql } from '../platform/db/database.ts';
import type { Source, SourceSum } from './source.ts';

/** What these orders count as so far. */
export async function readSources(tx: Tx, orderIds: readonly bigint[]): Promise<ReadonlyMap<bigint, Source>> {
  const rows = await tx.query<Source>(sql`
    select order_id as "orderId", day, hour, merchant_id as "merchantId", currency, amount, received, referrer, device, network,
      band, bank, reached, test
    from order_sources where order_id = any(${orderIds})`);
  return new Map(rows.map((row) => [row.orderId, row]));
}

export function writeSources(tx: Tx, sources: readonly Source[]): void {
  if (sources.length === 0) return;
  tx.send(sql`
    insert into order_sources (order_id, day, hour, merchant_id, currency, amount, received, referrer, device, network, band, bank,
      reached, test)
    select * from unnest(${sources.map((row) => row.orderId)}::bigint[], ${sources.map((row) => row.day)}::date[],
      ${sources.map((row) => row.hour)}::smallint[], ${sources.map((row) => row.merchantId)}::bigint[],
      ${sources.map((row) => row.currency)}::text[], ${sources.map((row) => row.amount)}::bigint[],
      ${sources.map((row) => row.received)}::bigint[], ${sources.map((row) => row.referrer)}::text[],
      ${sources.map((row) => row.device)}::text[], ${sources.map((row) => row.network)}::text[],
      ${sources.map((row) => row.band)}::bigint[], ${sources.map((row) => row.bank)}::text[],
      ${sources.map((row) => row.reached)}::smallint[], ${sources.map((row) => row.test)}::boolean[])
    on conflict (order_id) do update set received = excluded.received, referrer = excluded.referrer, device = excluded.device,
      network = excluded.network, bank = excluded.bank, reached = excluded.reached, test = excluded.test`);
}

const STEPS = [0, 1, 2, 3, 4, 5] as const;
const CHANGED = ['amount', 'paid_amount', ...STEPS.map((step) => `r${step}`)];

export function addSums(tx: Tx, sums: readonly SourceSum[]): void {
  if (sums.length === 0) return;
  const reached = join(STEPS.map((step) => sql`${sums.map((sum) => sum.reached[step])}::int[]`));
  tx.send(sql`
    with v as (
      select * from unnest(${sums.map((sum) => sum.day)}::date[], ${sums.map((sum) => sum.dimension)}::text[],
        ${sums.map((sum) => sum.value)}::text[], ${sums.map((sum) => sum.merchantId)}::bigint[],
        ${sums.map((sum) => sum.currency)}::text[], ${reached},
        ${sums.map((sum) => sum.amount)}::bigint[], ${sums.map((sum) => sum.paidAmount)}::bigint[])
        as v (day, dimension, value, merchant_id, currency, r0, r1, r2, r3, r4, r5, amount, paid_amount)
    ), known as (
      update source_sums s set ${join(CHANGED.map((name) => raw(`${name} = s.${name} + v.${name}`)))}
      from v where (s.day, s.dimension, s.value, s.merchant_id, s.currency) = (v.day, v.dimension, v.value, v.merchant_id, v.currency)
      returning s.day, s.dimension, s.value, s.merchant_id, s.currency
    )
    insert into source_sums (day, dimension, value, merchant_id, currency, r0, r1, r2, r3, r4, r5, amount, paid_amount)
    select * from v where not exists (
      select from known k where (k.day, k.dimension, k.value, k.merchant_id, k.currency)
        = (v.day, v.dimension, v.value, v.merchant_id, v.currency))`);
}

/**
 * Counts the acknowledgement of orders that count as paid and have no other change. Answers which orders these are. Nearly all callbacks
 * are like this, and then neither the order nor its source has to be read.
 */
export async function addAcknowledged(tx: Tx, orderIds: readonly bigint[]): Promise<ReadonlySet<bigint>> {
  if (orderIds.length === 0) return new Set();
  const rows = await tx.query<{ orderId: bigint }>(sql`
    with told as (
      update order_sources set reached = 5 where order_id = any(${orderIds}) and reached = 4 and not test
      returning order_id, day, merchant_id, currency, lpad(hour::text, 2, '0') as hour, referrer, device, network,
        band::text as band, bank
    ), added as (
      select day, merchant_id, currency, count(*)::int as orders, coalesce(hour, referrer, device, network, band, bank) as value,
        case 0 when grouping(hour) then 'hour' when grouping(referrer) then 'referrer' when grouping(device) then 'device'
          when grouping(network) then 'network' when grouping(band) then 'band' else 'bank' end as dimension
      from told group by day, merchant_id, currency, grouping sets (hour, referrer, device, network, band, bank)
    ), sums as (
      update source_sums s set r5 = s.r5 + a.orders from added a
      where (s.day, s.dimension, s.value, s.merchant_id, s.currency) = (a.day, a.dimension, a.value, a.merchant_id, a.currency)
    )
    select order_id as "orderId" from told`);
  return new Set(rows.map(({ orderId }) => orderId));
}
