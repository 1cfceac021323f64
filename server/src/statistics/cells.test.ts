import { getList, getStatusSummary, simpleStatistics } from '@sangam/contract/endpoints/order.ts';
import { getPayoutList } from '@sangam/contract/endpoints/payout.ts';
import { getDurations, getTable } from '@sangam/contract/endpoints/statistics.ts';
import {
  type Cell,
  DIRECTIONS,
  FILINGS,
  GROUPINGS,
  groupingsOf,
  listFiltersOf,
  MEASURE_NAMES,
  type Measure,
  MEASURES,
  type MeasureName,
} from '@sangam/contract/statistics.ts';
import { formatTime, parseTime } from '@sangam/contract/time.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { createRandom } from '../demo/random.ts';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import {
  changeHistories,
  insertHistories,
  makeOrder,
  type Parties,
  stateOf,
} from '../testing/order-histories.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { runsOf, SEED } from '../testing/seed.ts';
import { makeAccount, makeMerchant, makeMonitor, makeSupplier, viewerOf } from '../testing/world.ts';
import { addUp, settleOrders, sumUpDays } from './keep.ts';

/** Every number in a table links to the list of the orders it counts, and the list's total equals the number. */

const CELLS = runsOf(2_000);
const ORDERS = 1_500;

let node: TestPlatform;
let viewers: readonly Viewer[];
const random = createRandom(SEED);

beforeAll(async () => {
  node = await createTestPlatform();
  const { platform, clock } = node;
  const merchants = [await makeMerchant(platform), await makeMerchant(platform)].map(
    ({ merchantId }) => merchantId,
  );
  const head = await makeSupplier(platform);
  const member = await makeSupplier(platform, { agentId: head.supplierId });
  const other = await makeSupplier(platform);
  const suppliers = new Map<bigint, bigint[]>();
  for (const { supplierId } of [head, member, other]) {
    const { monitorId } = await makeMonitor(platform, { supplierId });
    const accounts = [
      await makeAccount(platform, { supplierId, monitorId }),
      await makeAccount(platform, { supplierId, monitorId }),
    ].map(({ accountId }) => accountId);
    await platform.db.query(sql`update accounts set bank = 'SBIN' where id = ${accounts[1]!}`);
    suppliers.set(supplierId, accounts);
  }
  const parties: Parties = { merchants, suppliers };
  const orders = Array.from({ length: ORDERS }, (_, index) => makeOrder(random, parties, clock.now(), index));
  await insertHistories(platform, orders);
  for (const order of orders) order.state = stateOf(random, parties, order);
  await changeHistories(platform, orders);
  await addUp(platform);
  viewers = [
    viewerOf(platform, { role: 'admin' }),
    viewerOf(platform, { role: 'customerService' }),
    viewerOf(platform, { role: 'merchant', merchantId: merchants[0]! }),
    viewerOf(platform, { role: 'supplier', supplierId: head.supplierId }),
    viewerOf(platform, { role: 'supplier', supplierId: other.supplierId }),
    viewerOf(platform, { role: 'superAdmin' }),
    viewerOf(platform, { role: 'technicalMaintenance' }),
  ];
});
afterAll(() => node.close());

type Table = z.output<typeof getTable.output>;
type Row = Table['list'][number];

interface Asked {
  readonly viewer: Viewer;
  readonly query: Readonly<Record<string, unknown>>;
  readonly table: Table;
}

function cellOf({ query, table }: Asked, row: Row, measure: MeasureName): Cell {
  const id = (own: string | null, asked: unknown) => own ?? (asked as string | undefined);
  return {
    counted: MEASURES[measure].counted,
    filing: table.filing,
    from: parseTime(table.startTime)!,
    to: parseTime(table.endTime)!,
    currency: row.currency,
    merchantId: id(row.merchantId, query['merchantId']),
    supplierId: id(row.supplierId, query['supplierId']),
    productId: row.productId ?? (query['productId'] as number | undefined),
    bank: row.bank ?? undefined,
    mark: row.mark ?? undefined,
    day: row.day ?? undefined,
    weekday: row.weekday ?? undefined,
    halfHour: row.halfHour ?? undefined,
    scope: table.scope,
  };
}

/** How many orders a number counts, by the counts in its row. */
function countOf({ measures }: Row, measure: MeasureName): number {
  const { counted } = MEASURES[measure];
  const all = measures as Readonly<Record<string, number>>;
  return counted === 'netPaid' ? all['paid']! - all['reversed']! : all[counted]!;
}

const amountOf = (order: object, measure: MeasureName): number => {
  const fields = order as Readonly<Record<string, number | null | undefined>>;
  const counts = (MEASURES as Record<string, Measure>)[measure]!.counted;
  const paid = ['paid', 'supplemented', 'reversed', 'netPaid'].includes(counts);
  if (measure === 'fee') return fields['fee'] ?? 0;
  if (measure === 'commission') return fields['supplierCommission'] ?? 0;
  if (measure === 'income') return fields['income'] ?? 0;
  return paid ? (fields['currentReceivedMoney'] ?? fields['amount'])! : fields['amount']!;
};
/** Amounts that the rows of the lists do not show. */
const UNLISTED: ReadonlySet<MeasureName> = new Set<MeasureName>(['agentCommission', 'profit']);

async function walk(asked: Asked, row: Row): Promise<void> {
  const { viewer, query } = asked;
  const measure = random.pick(MEASURE_NAMES.filter((name) => row.measures[name] !== undefined));
  const filters = listFiltersOf(cellOf(asked, row, measure));
  const list = await ask(
    node.platform,
    viewer,
    (query['orderType'] === 1 ? getPayoutList : getList) as typeof getList,
    { ...filters, pageSize: 500 },
  );
  const cell = `${viewer.role} ${measure} ${JSON.stringify({ query, filters })}`;
  expect([cell, list.total]).toEqual([cell, countOf(row, measure)]);
  const { unit }: Measure = MEASURES[measure];
  if (unit !== 'amount' || UNLISTED.has(measure) || list.total > 500) return;
  const sum = list.list.reduce((total, order) => total + amountOf(order, measure), 0);
  expect([cell, sum]).toEqual([cell, row.measures[measure]]);
}

test(`each of ${CELLS} random cells has the orders it counts (SEED=${SEED})`, async () => {
  const day = (back: number) =>
    formatTime(new Date(node.clock.now().getTime() - back * 86_400_000)).slice(0, 10);
  const questions = viewers.flatMap((viewer) =>
    DIRECTIONS.flatMap((direction) =>
      FILINGS.flatMap((filing) =>
        groupingsOf(viewer.role).map((groupBy) => ({
          viewer,
          query: {
            orderType: direction === 'out' ? 1 : 0,
            filing,
            groupBy,
            // Sometimes with times of day, so that the period begins and ends within days.
            startTime: random.chance(0.3) ? `${day(2)} 10:30:00` : day(4),
            endTime: random.chance(0.3) ? `${day(0)} 11:59:59` : day(0),
            ...(viewer.role === 'supplier' ? { scope: random.pick(['own', 'team', 'group']) } : {}),
            ...(random.chance(0.3) ? { productId: direction === 'out' ? 2010 : 1010 } : {}),
          },
        })),
      ),
    ),
  );
  const answers: Asked[] = [];
  for (const { viewer, query } of questions) {
    const asked = { viewer, query, table: await ask(node.platform, viewer, getTable, query) };
    if (asked.table.totals.length > 0) answers.push(asked);
  }
  // A supplier without a team has no team orders. All other viewers have orders.
  expect(new Set(answers.map(({ viewer }) => viewer)).size).toBe(viewers.length);
  expect(answers.length).toBeGreaterThan(questions.length * 0.7);
  const each = Math.ceil(CELLS / answers.length);
  let walked = 0;
  for (const asked of answers) {
    const rows = [...asked.table.list, ...asked.table.totals];
    await Promise.all(Array.from({ length: each }, () => walk(asked, random.pick(rows))));
    walked += each;
  }
  expect(walked).toBeGreaterThanOrEqual(CELLS);
}, 180_000);

test('a bar of the histogram has its orders', async () => {
  const [admin] = viewers;
  const { list, startTime, endTime, filing } = await ask(node.platform, admin!, getDurations, {
    startTime: formatTime(new Date(node.clock.now().getTime() - 4 * 86_400_000)),
  });
  expect(list.length).toBeGreaterThan(0);
  for (const { currency, buckets } of list) {
    const bar = random.pick(buckets);
    const filters = listFiltersOf({
      counted: 'paid',
      filing,
      from: parseTime(startTime)!,
      to: parseTime(endTime)!,
      currency,
    });
    const { list: rows } = await ask(node.platform, admin!, getStatusSummary, {
      ...filters,
      payBucket: bar.bucket,
    });
    expect(rows.reduce((total, { count }) => total + count, 0)).toBe(bar.orders);
  }
});

test('home shows the measures of the table, and each of its numbers has the orders it counts', async () => {
  const { platform, clock } = node;
  const day = (ahead: number) =>
    formatTime(new Date(clock.now().getTime() + ahead * 86_400_000)).slice(0, 10);
  const [yesterdayDate, todayDate, tomorrowDate] = [day(-1), day(0), day(1)];
  let reversed = 0;
  for (const filing of FILINGS) {
    await platform.settings.write('OrderStatisticsTimeFormat', filing, null);
    for (const viewer of viewers) {
      const asked = { yesterdayDate, todayDate, tomorrowDate };
      const home = await ask(platform, viewer, simpleStatistics, asked);
      expect(home.filing).toBe(filing);
      for (const { currency, today, yesterday, soFar } of home.list) {
        for (const [startTime, endTime, figures] of [
          [todayDate, tomorrowDate, today],
          [yesterdayDate, todayDate, yesterday],
          ...(soFar
            ? ([
                [todayDate, `${todayDate} ${soFar.until}:00`, soFar.today],
                [yesterdayDate, `${yesterdayDate} ${soFar.until}:00`, soFar.yesterday],
              ] as const)
            : []),
        ] as const) {
          const to = new Date(parseTime(endTime)!.getTime() - 1_000);
          const { totals } = await ask(platform, viewer, getTable, {
            startTime,
            endTime: formatTime(to),
            currency,
            scope: viewer.role === 'supplier' ? 'own' : undefined,
          });
          const measures = totals[0]?.measures ?? {};
          reversed += measures.reversed ?? 0;
          const of = (name: 'created' | 'paid' | 'paidAmount') => measures[name] ?? 0;
          expect([viewer.role, startTime, endTime, figures]).toMatchObject([
            viewer.role,
            startTime,
            endTime,
            { created: of('created'), paid: of('paid'), paidAmount: of('paidAmount') },
          ]);
          const cell = { filing, from: parseTime(startTime)!, to: parseTime(endTime)! };
          const scope = viewer.role === 'supplier' ? 'own' : undefined;
          for (const counted of ['created', 'paid'] as const) {
            const filters = listFiltersOf({ ...cell, counted, currency, scope });
            const { total } = await ask(platform, viewer, getList, filters);
            expect([filters, total]).toEqual([filters, figures[counted]]);
          }
        }
      }
    }
  }
  expect(reversed).toBeGreaterThan(0);
});

test('nobody may group or filter by data they may not see', async () => {
  const [, , merchant, supplier] = viewers;
  for (const groupBy of GROUPINGS) {
    for (const viewer of [merchant!, supplier!]) {
      if (groupingsOf(viewer.role).includes(groupBy)) continue;
      expect((await askRefused(node.platform, viewer, getTable, { groupBy })).code).toBe('forbidden');
    }
  }
  expect((await askRefused(node.platform, merchant!, getTable, { supplierId: '1' })).code).toBe('forbidden');
  expect((await askRefused(node.platform, supplier!, getTable, { merchantId: '1' })).code).toBe('forbidden');
  const { totals } = await ask(node.platform, merchant!, getTable, { startTime: '2026-01-01' }).catch(() => ({
    totals: [],
  }));
  for (const { measures } of totals) expect(measures).not.toHaveProperty('profit');
});

test('a cell of a merchant and a supplier together has its orders, also in spans and before they settle', async () => {
  const { platform, clock } = node;
  clock.advance(20 * DAY);
  await sumUpDays(platform);
  const day = (back: number) => formatTime(new Date(clock.now().getTime() - back * DAY)).slice(0, 10);
  const [admin, , merchant, supplier] = viewers;
  const merchantId = String(merchant!.merchantId);
  const questions = [
    { groupBy: 'supplier', merchantId },
    { groupBy: 'bank', merchantId },
    { groupBy: 'merchant', supplierId: String(supplier!.supplierId) },
  ].flatMap((question) =>
    DIRECTIONS.flatMap((direction) =>
      FILINGS.map((filing) => ({
        ...question,
        filing,
        orderType: direction === 'out' ? 1 : 0,
        startTime: day(29),
        endTime: day(0),
      })),
    ),
  );
  const walkAll = async () => {
    for (const query of questions) {
      const table = await ask(platform, admin!, getTable, query);
      expect(table.list.length).toBeGreaterThan(1);
      const asked = { viewer: admin!, query, table };
      await Promise.all(
        Array.from({ length: 12 }, () => walk(asked, random.pick([...table.list, ...table.totals]))),
      );
    }
  };
  const inSpans = async () => {
    const [row] = await platform.db.query<{ orders: bigint }>(sql`
      select coalesce(sum(created), 0)::bigint as orders from statistics_spans where grain = 3`);
    return row!.orders;
  };
  expect(await inSpans()).toBe(0n);
  await walkAll();
  await settleOrders(platform);
  expect(await inSpans()).toBeGreaterThan(ORDERS / 2);
  await walkAll();
}, 60_000);
