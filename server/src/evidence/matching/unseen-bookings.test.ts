import { expect, test } from 'vitest';
import { matchDebits } from '../../payout/match-debits.ts';
import { readPayout } from '../../payout/read.ts';
import { exportBatch, markSent } from '../../payout/batch/send.ts';
import { sql } from '../../platform/db/database.ts';
import type { Platform } from '../../platform/platform.ts';
import { makeBatch, makeBatchShop } from '../../testing/batches.ts';
import { reportDebit } from '../../testing/debits.ts';
import { eachShop } from '../../testing/each-shop.ts';
import { creditSms, makeShop, newReference } from '../../testing/payments.ts';
import { payOut } from '../../testing/payouts.ts';
import { shopCalls } from '../../testing/shop-calls.ts';
import { makeUser, viewerOf } from '../../testing/world.ts';
import { receiveMessages } from './receive.ts';
import { supplement } from './supplement.ts';
import { reportUnseenBookings } from './unseen-bookings.ts';

/** A credit and the booking of its reference, neither of which has seen the other. */

const here = eachShop();

const AMOUNT = 550_00n;
const viewer = async (role: 'superAdmin' | 'admin') =>
  viewerOf(here.world.platform, { role, userId: (await makeUser(here.world.platform, { role })).id });
const toldOf = async (id: bigint, admin: bigint) =>
  (
    await here.world.platform.db.query<{ kind: string }>(
      sql`select kind from inbox_messages where user_id = ${admin} and data->>'order' = ${String(id)} order by id`,
    )
  ).map(({ kind }) => kind);
const storedOf = async (utr: string) =>
  (
    await here.world.platform.db.query(
      sql`select state, reason from messages where utr = ${utr} and direction = 'credit'`,
    )
  )[0];
const sweep = async () => {
  while ((await reportUnseenBookings(here.world.platform)) > 0);
};

test('a credit that was not committed when the desk booked its UTR on another account is told once', async () => {
  const [boss, admin] = [await viewer('superAdmin'), await viewer('admin')];
  const order = await shopCalls(here.world, () => here.shop).order(AMOUNT);
  const other = await makeShop(here.world.platform);
  const utr = newReference();
  const its = creditSms(here.world.platform, other, AMOUNT, { reference: utr });
  const node = here.world.anotherNode();
  let isPaused = (): void => {};
  let goOn = (): void => {};
  const paused = new Promise<void>((resolve) => (isPaused = resolve));
  const released = new Promise<void>((resolve) => (goOn = resolve));
  // Each transaction of this node ends only once it is released.
  const slow: Platform = {
    ...node,
    db: {
      ...node.db,
      evidence: {
        ...node.db.evidence,
        tx: (work) =>
          node.db.evidence.tx(async (tx) => {
            const result = await work(tx);
            isPaused();
            await released;
            return result;
          }),
      },
    },
  };
  const receiving = receiveMessages(slow, other.monitor, [its]);
  await paused;
  expect(
    await supplement(here.world.platform, boss, { orderId: order.id, utr, offset: false }),
  ).toMatchObject({
    status: 6,
  });
  goOn();
  await receiving;
  await sweep();
  await sweep();
  expect(await toldOf(order.id, admin.userId)).toEqual(['bookedOtherwise']);
  expect(await storedOf(utr)).toEqual({ state: 'ambiguous', reason: 'contradictsBooked' });
});

test('so is a credit that came before a debit of its number completed a payout', async () => {
  const admin = await viewer('admin');
  const utr = newReference();
  const bank = await makeBatchShop(here.world.platform);
  const { id } = await payOut(here.world.platform, bank.merchantId, { amount: AMOUNT });
  const only = { minAmount: Number(AMOUNT), maxAmount: Number(AMOUNT) };
  const { batchId } = await makeBatch(here.world.platform, bank, only);
  await exportBatch(here.world.platform, bank.admin, batchId);
  await markSent(here.world.platform, bank.admin, batchId);
  await shopCalls(here.world, () => here.shop).report(
    creditSms(here.world.platform, here.shop, AMOUNT, { reference: utr }),
  );
  await reportDebit(here.world.platform, bank, { amount: AMOUNT, utr });
  await matchDebits(here.world.platform);
  expect(await readPayout(here.world.platform.db, id)).toMatchObject({ status: 3, utr });
  await sweep();
  await sweep();
  expect(await toldOf(id, admin.userId)).toEqual(['bookedOtherwise']);
  expect(await storedOf(utr)).toEqual({ state: 'ambiguous', reason: 'contradictsBooked' });
});
