import { parseTime } from '@sangam/contract/time.ts';
import { readAllocationPool } from '../../accounts/allocation-pool.ts';
import type { DepositRoom } from '../../accounts/candidates.ts';
import type { RunCandidate } from '../../collection/allocation-runs.ts';
import { DAY, HOUR, MINUTE } from '../../platform/clock.ts';
import { type Tx, sql } from '../../platform/db/database.ts';
import { firstIdAt, ID_SLACK } from '../../platform/db/ids.ts';
import type { Platform } from '../../platform/platform.ts';
import type { Arrival, Carried, Day, Standing } from './replay.ts';

/** Rows in one read. It limits memory and the time for which the node serves nobody else. */
const CHUNK = 10_000;

interface EventRow {
  readonly orderId: bigint;
  readonly run: string;
  readonly accountId: bigint | null;
}

type OrderRow = Omit<Arrival, 'run' | 'accountId' | 'bank' | 'at'> & {
  readonly at: Date;
  readonly lastBank: string | null;
};

/** Everything that the replay of a business day needs, read in the caller's transaction. */
export async function readDay(platform: Platform, tx: Tx, day: string): Promise<Day> {
  const from = parseTime(day)!;
  const to = new Date(from.getTime() + DAY);
  const orders = await readOrders(tx, from, to);
  const allocations = await readAllocations(tx, from, to);
  const standings = await readStandings(tx, new Set([...allocations.values()].map(({ run }) => run)));
  const productIds = [...new Set(orders.map(({ productId }) => productId))];
  const settings = await platform.settings.all();
  const pool = await readAllocationPool(platform, tx, productIds, from);
  const bankOf = new Map(pool.candidates.map(({ accountId, payee }) => [accountId, payee.bank]));
  const arrivals = orders.map(({ lastBank, ...order }): Arrival => {
    const { run = '', accountId = null } = allocations.get(order.orderId) ?? {};
    return {
      ...order,
      run,
      accountId,
      bank: accountId === null ? null : (bankOf.get(accountId) ?? lastBank),
    };
  });
  const lastUsed = await readLastUsed(tx, [...bankOf.keys()], from);
  const candidates = pool.candidates.map((candidate) => ({
    ...candidate,
    usage: {
      version: 0n,
      waitingCount: 0,
      dayOrders: 0,
      dayAmount: 0n,
      lastUsedMs: lastUsed.get(candidate.accountId) ?? 0,
    },
    supplierDay: { ...candidate.supplierDay, orders: 0, amount: 0n },
  }));
  const carried = await readCarried(tx, from, settings.CompleteCheckOrderTime * MINUTE);
  const rooms = await readRooms(tx, pool.rooms, from, carried, candidates);
  return { arrivals, standings, candidates, rooms, carried, settings, ...habitsOf(arrivals) };
}

async function readOrders(tx: Tx, from: Date, to: Date): Promise<OrderRow[]> {
  const rows: OrderRow[] = [];
  for (let after = firstIdAt(from) - 1n; ;) {
    const chunk = await tx.query<OrderRow>(sql`
      select o.id as "orderId", o.merchant_id as "merchantId", o.product_id as "productId", o.currency, o.amount,
        o.user_name as "userName", o.created_at as at, a.bank as "lastBank", o.payable, o.received, o.paid_at as "paidAt",
        o.utr is not null as stated, o.merchant_rate_ppm as "merchantRatePpm", o.merchant_fixed_fee as "merchantFixedFee",
        (select min(e.created_at) from order_events e where e.order_id = o.id and e.kind = 'released' and o.paid_at is null) as "endedAt"
      from collection_orders o left join accounts a on a.id = o.account_id
      where o.id > ${after} and o.id < ${firstIdAt(to)} order by o.id limit ${CHUNK}`);
    rows.push(...chunk);
    if (chunk.length < CHUNK)
      return rows.toSorted((a, b) => a.at.getTime() - b.at.getTime() || (a.orderId < b.orderId ? -1 : 1));
    after = chunk.at(-1)!.orderId;
  }
}

/** What each order was given first: its allocation run, and the account that its history names as chosen. */
async function readAllocations(tx: Tx, from: Date, to: Date): Promise<Map<bigint, EventRow>> {
  const found = new Map<bigint, EventRow>();
  const end = firstIdAt(to) + ID_SLACK;
  for (let after = firstIdAt(from) - 1n; ;) {
    const chunk = await tx.query<{
      id: bigint;
      orderId: bigint;
      run: string | null;
      verdicts: Record<string, string>;
    }>(sql`
      select id, order_id as "orderId", data ->> 'run' as run, coalesce(data -> 'verdicts', '{}') as verdicts from order_events
      where id > ${after} and id < ${end} and kind in ('allocated', 'allocationFailed') order by id limit ${CHUNK}`);
    for (const { orderId, run, verdicts } of chunk) {
      if (found.has(orderId)) continue;
      const chosen = Object.entries(verdicts).find(([, verdict]) => verdict.startsWith('chosen'));
      found.set(orderId, { orderId, run: run ?? '', accountId: chosen ? BigInt(chosen[0]) : null });
    }
    if (chunk.length < CHUNK) return found;
    after = chunk.at(-1)!.id;
  }
}

async function readStandings(tx: Tx, runs: ReadonlySet<string>): Promise<Map<string, Standing>> {
  const ids = [...runs].filter(Boolean).map(BigInt);
  const rows = await tx.query<{ id: bigint; candidates: RunCandidate[] }>(sql`
    select id, candidates from allocation_runs where id = any(${ids})`);
  return new Map(
    rows.map(({ id, candidates }) => [
      String(id),
      new Map(candidates.map(({ accountId, weight, verdict }) => [BigInt(accountId), { weight, verdict }])),
    ]),
  );
}

async function readLastUsed(tx: Tx, accountIds: readonly bigint[], at: Date): Promise<Map<bigint, number>> {
  const rows = await tx.query<{ accountId: bigint; at: Date }>(sql`
    select account_id as "accountId", max(allocated_at) as at from collection_orders
    where id >= ${firstIdAt(new Date(at.getTime() - 2 * DAY))} and id < ${firstIdAt(at)} and account_id = any(${accountIds})
    group by 1`);
  return new Map(rows.map((row) => [row.accountId, row.at.getTime()]));
}

/** Orders of the day before that can still be paid when the day begins. */
function readCarried(tx: Tx, from: Date, graceMs: number): Promise<Carried[]> {
  return tx.query<Carried>(sql`
    select o.id as "orderId", o.account_id as "accountId", o.payable, o.paid_at as "paidAt", o.received, o.utr is not null as stated,
      o.expires_at as "expiresAt", o.expires_at + ${graceMs} * interval '1 ms' as "releaseAt"
    from collection_orders o
    where o.id >= ${firstIdAt(new Date(from.getTime() - 2 * DAY))} and o.id < ${firstIdAt(from)} and o.account_id is not null
      and o.expires_at + ${graceMs} * interval '1 ms' > ${from} and (o.paid_at is null or o.paid_at > ${from})
      and not exists (select from order_events e where e.order_id = o.id and e.kind = 'released' and e.created_at <= ${from})`);
}

/** What the deposits could carry when the day began: their balances then, less their floors, less what could still be paid. */
async function readRooms(
  tx: Tx,
  now: ReadonlyMap<string, DepositRoom>,
  from: Date,
  carried: readonly Carried[],
  candidates: Day['candidates'],
): Promise<Map<string, DepositRoom>> {
  const suppliers = [...new Set([...now.values()].flatMap((room) => [...room.keys()]))];
  const rows = await tx.query<{ supplierId: bigint; currency: string; room: bigint }>(sql`
    select a.owner_id as "supplierId", a.currency, sum(coalesce(e.balance_after, 0) - coalesce(a.floor, 0))::bigint as room
    from ledger_accounts a
    left join lateral (
      select balance_after from ledger_entries e where e.account_id = a.id and e.id < ${firstIdAt(from)} order by e.id desc limit 1
    ) e on true
    where a.owner_kind = 'supplier' and a.bucket = 'deposit' and a.owner_id = any(${suppliers}) group by 1, 2`);
  const rooms = new Map<string, DepositRoom>([...now.keys()].map((currency) => [currency, new Map()]));
  for (const { supplierId, currency, room } of rows) rooms.get(currency)?.set(supplierId, room);
  const supplierOf = new Map(candidates.map(({ accountId, supplierId }) => [accountId, supplierId]));
  for (const { accountId, payable } of carried) {
    const supplierId = supplierOf.get(accountId);
    const room = [...rooms.values()].find((each) => supplierId !== undefined && each.has(supplierId));
    if (supplierId !== undefined && room) room.set(supplierId, room.get(supplierId)! - (payable ?? 0n));
  }
  return rooms;
}

/** How orders on a bank's accounts were paid that day: the share of paid orders by hour, and the delay. */
function habitsOf(arrivals: readonly Arrival[]): Pick<Day, 'rateOf' | 'delayOf'> {
  const hours = new Map<string, { orders: number; paid: number }>();
  const delays = new Map<string, number[]>();
  const keysOf = (bank: string, at: Date) => [`${bank}/${Math.floor(at.getTime() / HOUR)}`, bank, ''];
  for (const { bank, at, paidAt } of arrivals) {
    if (bank === null) continue;
    for (const key of keysOf(bank, at)) {
      const each = hours.get(key) ?? { orders: 0, paid: 0 };
      hours.set(key, { orders: each.orders + 1, paid: each.paid + (paidAt ? 1 : 0) });
    }
    if (paidAt) delays.set(bank, [...(delays.get(bank) ?? []), paidAt.getTime() - at.getTime()]);
  }
  const medians = new Map(
    [...delays].map(([bank, all]) => [bank, all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!]),
  );
  return {
    // A bank without orders in the hour gets its rate of the day; a bank without any orders gets the rate of all banks.
    rateOf: (bank, at) => {
      const found = keysOf(bank, at).flatMap((key) => hours.get(key) ?? []);
      const [first] = found.filter(({ orders }) => orders >= 5).concat(found);
      return first ? first.paid / first.orders : 0;
    },
    delayOf: (bank) => medians.get(bank) ?? 2 * MINUTE,
  };
}
