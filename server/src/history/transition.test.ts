import {
  COLLECTION_STATUS,
  COLLECTION_TRANSITIONS,
  type CollectionStatus,
  PAID_STATUSES,
} from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS, PAYOUT_TRANSITIONS, type PayoutStatus } from '@sangam/contract/payouts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { transition as moveCollection, transitionFrom } from '../collection/transition.ts';
import { transition as movePayout } from '../payout/transition.ts';
import { sql } from '../platform/db/database.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { makePayoutShop, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { SYSTEM } from './events.ts';

let node: TestPlatform;
let orderId: bigint;
let payoutId: bigint;
beforeAll(async () => {
  node = await createTestPlatform();
  const shop = await makeShop(node.platform);
  orderId = (await createOne(node.platform, shop.merchantId)).id;
  payoutId = (await payOut(node.platform, (await makePayoutShop(node.platform)).merchantId)).id;
});
afterAll(() => node.close());

const ENDED: readonly PayoutStatus[] = [3, 4, 6];

class Undo extends Error {}

/** Tries every pair of statuses on a real order; answers the steps that were allowed. Everything is rolled back. */
async function stepsTaken<Status extends number>(
  statuses: readonly Status[],
  table: 'collection_orders' | 'payout_orders',
  id: bigint,
  move: (
    tx: Parameters<Parameters<typeof node.platform.db.tx>[0]>[0],
    from: Status,
    to: Status,
  ) => Promise<void>,
): Promise<string[]> {
  const taken: string[] = [];
  for (const from of statuses)
    for (const to of statuses) {
      if (from === to) continue;
      const outcome = await node.platform.db
        .tx(async (tx) => {
          await move(tx, from, to);
          const [row] = await tx.query<{ status: number; events: number }>(
            table === 'collection_orders'
              ? sql`select status, (select count(*)::int from order_events where order_id = o.id and from_status = ${from}
                  and to_status = ${to} and kind = 'noted') as events from collection_orders o where id = ${id}`
              : sql`select status, (select count(*)::int from order_events where order_id = o.id and from_status = ${from}
                  and to_status = ${to} and kind = 'noted') as events from payout_orders o where id = ${id}`,
          );
          expect(row).toEqual({ status: to, events: 1 });
          throw new Undo();
        })
        .catch((error: unknown) => error);
      if (outcome instanceof Undo) taken.push(`${from}→${to}`);
      else expect(String(outcome)).toContain(`no step leads from ${from} to ${to}`);
    }
  return taken;
}

const edges = (table: Readonly<Record<number, readonly number[]>>) =>
  Object.entries(table).flatMap(([from, next]) =>
    next.filter((to) => to !== Number(from)).map((to) => `${from}→${to}`),
  );

test('a collection order takes exactly the steps of the table, each with its event', async () => {
  const statuses = Object.values(COLLECTION_STATUS);
  const taken = await stepsTaken<CollectionStatus>(statuses, 'collection_orders', orderId, (tx, from, to) =>
    moveCollection(node.platform, tx, [{ orderId, kind: 'noted', from, to, actor: SYSTEM }], {
      received: PAID_STATUSES.includes(to) ? 1n : null,
      paid_at: PAID_STATUSES.includes(to) ? node.clock.now() : null,
    }),
  );
  expect(taken.toSorted()).toEqual(edges(COLLECTION_TRANSITIONS).toSorted());
});

test('a payout takes exactly the steps of the table, each with its event', async () => {
  const statuses = Object.values(PAYOUT_STATUS);
  const taken = await stepsTaken<PayoutStatus>(statuses, 'payout_orders', payoutId, (tx, from, to) =>
    movePayout(node.platform, tx, [{ orderId: payoutId, kind: 'noted', from, to, actor: SYSTEM }], {
      finished_at: ENDED.includes(to) ? node.clock.now() : null,
    }),
  );
  expect(taken.toSorted()).toEqual(edges(PAYOUT_TRANSITIONS).toSorted());
});

test('transitionFrom moves only orders that have the status, and only by a step of the table', async () => {
  await node.platform.db.tx(async (tx) => {
    expect(await transitionFrom(tx, [orderId], 6, 3)).toEqual(new Set());
    expect(await transitionFrom(tx, [orderId], 1, 2)).toEqual(new Set([orderId]));
    await expect(transitionFrom(tx, [orderId], 2, 1)).rejects.toThrow('no step leads from 2 to 1');
  });
});
