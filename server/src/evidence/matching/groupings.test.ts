import { describe, expect, test } from 'vitest';
import type { CollectionOrder } from '../../collection/order.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { eachShop } from '../../testing/each-shop.ts';
import {
  creditSms,
  naming,
  newReference,
  type Shop,
  statedSms,
  withoutReference,
} from '../../testing/payments.ts';
import type { TestPlatform } from '../../testing/platform.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import type { ReportedMessage } from './message.ts';
import { supplement } from './supplement.ts';

/**
 * The bank's messages about one payment, in every order and in every grouping into reports. However they come: if it pays two orders, or
 * one although the bank took it back, the admins are notified of one of them.
 */

let world: TestPlatform;
let shop: Shop;
let boss: Viewer;
let calls: ReturnType<typeof shopCalls>;
eachShop({
  world: async (made) => {
    world = made;
    calls = shopCalls(world, () => shop);
    const { id: userId } = await makeUser(world.platform, { role: 'superAdmin' });
    boss = viewerOf(world.platform, { role: 'superAdmin', userId });
  },
  shop: (made) => {
    shop = made;
  },
});

const AMOUNT = 550_00n;

/** All orders of some things. */
const ordersOf = <Thing>(things: readonly Thing[]): Thing[][] =>
  things.length === 0
    ? [[]]
    : things.flatMap((first, at) => ordersOf(things.toSpliced(at, 1)).map((rest) => [first, ...rest]));

/** All ways to cut a row of things into reports. */
const groupingsOf = <Thing>([first, ...rest]: readonly Thing[]): Thing[][][] =>
  first === undefined
    ? [[]]
    : rest.length === 0
      ? [[[first]]]
      : groupingsOf(rest).flatMap(([head, ...others]) => [
          [[first], head!, ...others],
          [[first, ...head!], ...others],
        ]);

type Message = 'stated' | 'bare' | 'coded' | 'reversal' | 'namingReversal';
const isReversal = (message: Message) => message === 'reversal' || message === 'namingReversal';

const STORIES: readonly (readonly Message[])[] = [
  ['stated', 'bare'],
  ['stated', 'coded'],
  ['stated', 'bare', 'coded'],
  ['stated', 'bare', 'reversal'],
  ['stated', 'coded', 'reversal'],
  ['stated', 'bare', 'namingReversal'],
  ['stated', 'coded', 'namingReversal'],
];
const CASES = STORIES.flatMap((story) =>
  ordersOf(story).flatMap((row) => groupingsOf(row).map((reports) => ({ reports }))),
).map(({ reports }) => ({ reports, name: reports.map((report) => report.join('+')).join(', ') }));

const paidOf = (orders: readonly CollectionOrder[]) =>
  world.platform.db.query<{ id: bigint }>(sql`
    select id from collection_orders where id = any(${orders.map(({ id }) => id)}) and paid_at is not null`);

async function notifiedOf(id: bigint): Promise<boolean> {
  const [told] = await world.platform.db.query(sql`
    select from inbox_messages where kind in ('moneyWentBack', 'bookedOtherwise') and data->>'order' = ${String(id)} limit 1`);
  return told !== undefined;
}

describe.each(['nobody has helped', 'the desk has completed an order by the UTR'])('%s:', (past) => {
  test.each(CASES)('$name', async ({ reports }) => {
    const { platform, clock } = world;
    const utr = newReference();
    const orders: CollectionOrder[] = [];
    if (past !== 'nobody has helped') {
      const helped = await calls.order(AMOUNT);
      await supplement(platform, boss, { orderId: helped.id, utr, offset: false });
      orders.push(helped);
      clock.advance(20 * MINUTE);
    }
    orders.push(await calls.order(AMOUNT));
    const other = await calls.order(AMOUNT);
    orders.push(other);
    const stated = creditSms(platform, shop, AMOUNT, { reference: utr });
    const back = (reference: string) =>
      statedSms(platform, shop, { amount: -AMOUNT, balance: 9_000_00n, reference });
    const own = back(newReference());
    const messages: Readonly<Record<Message, ReportedMessage>> = {
      stated,
      bare: withoutReference(creditSms(platform, shop, AMOUNT)),
      coded: naming(other, withoutReference(creditSms(platform, shop, AMOUNT))),
      reversal: back(utr),
      namingReversal: { ...own, text: `${own.text} reversal of UPI ${utr}` },
    };
    for (const report of reports) {
      await calls.report(...report.map((message) => messages[message]));
      clock.advance(MINUTE / 2);
    }
    const paid = await paidOf(orders);
    const notified = await Promise.all(paid.map(({ id }) => notifiedOf(id)));
    const mayStand = reports.flat().some(isReversal) ? 0 : 1;
    if (paid.length > mayStand) expect(notified).toContain(true);
  });
});
