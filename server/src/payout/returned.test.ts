import * as batch from '@sangam/contract/endpoints/payout-batch.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { ask } from '../testing/ask.ts';
import { type BatchShop, makeBatch, makeBatchShop } from '../testing/batches.ts';
import { reportDebit, reportReturn } from '../testing/debits.ts';
import { brokenChecks } from '../testing/books.ts';
import { newReference } from '../testing/payments.ts';
import { payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { viewerOf } from '../testing/world.ts';
import type { Viewer } from '../platform/viewer.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { matchDebits } from './match-debits.ts';
import { proveConfirmed } from './prove.ts';
import { readPayout } from './read.ts';
import { reportReturned } from './returned.ts';

/** Money that the bank gives back to a paying account. */

let world: TestPlatform;
let shop: BatchShop;
let supplier: Viewer;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform);
  supplier = viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;

/** A payout of this amount, at the bank by a file. */
async function sent(amount: bigint) {
  const { id } = await payOut(world.platform, shop.merchantId, { amount });
  const only = { minAmount: Number(amount), maxAmount: Number(amount) };
  const { batchId } = await makeBatch(world.platform, shop, only);
  await ask(world.platform, shop.admin, batch.exportPayoutBatch, { batchId });
  await ask(world.platform, shop.admin, batch.markPayoutBatchSent, { batchId });
  return id;
}
const sweep = async () => {
  await proveConfirmed(world.platform);
  await matchDebits(world.platform);
  await reportReturned(world.platform);
};
/** How often the admins were notified of the payout. */
const told = async (id: bigint) =>
  (
    await world.platform.db.query(
      sql`select 1 from inbox_messages where kind = 'moneyWentBack' and user_id = ${shop.admin.userId} and data->>'order' = ${String(id)}`,
    )
  ).length;
const give = (amount: bigint, utr?: string, text?: string) =>
  reportReturn(world.platform, shop, {
    amount,
    ...(utr === undefined ? {} : { utr }),
    ...(text === undefined ? {} : { text }),
  });
const debit = (amount: bigint, utr?: string) =>
  reportDebit(world.platform, shop, { amount, ...(utr === undefined ? {} : { utr }) });

test('a debit whose money came back before it was looked at completes no payout; the next try does', async () => {
  const utr = newReference();
  const id = await sent(101_00n);
  await debit(101_00n, utr);
  world.clock.advance(MINUTE);
  await give(101_00n, utr);
  await sweep();
  expect((await read(id)).status).toBe(8);
  await debit(101_00n);
  await sweep();
  expect((await read(id)).status).toBe(3);
  expect(await told(id)).toBe(0);
});

test('nor does it support what its supplier or the desk says', async () => {
  const utr = newReference();
  const { id } = await payOut(world.platform, shop.merchantId, { amount: 202_00n });
  await claim(world.platform, supplier, id);
  await debit(202_00n, utr);
  await give(202_00n, utr);
  for (const viewer of [supplier, shop.admin])
    expect(await confirmPaid(world.platform, viewer, { orderId: id, utr })).toMatchObject({
      code: 'utrUsed',
    });
  expect((await read(id)).status).toBe(1);
});

test('money of a completed payout that comes back under another number is told to the admins once', async () => {
  const id = await sent(303_00n);
  await debit(303_00n);
  await sweep();
  expect((await read(id)).status).toBe(3);
  world.clock.advance(DAY);
  await give(303_00n);
  await sweep();
  await sweep();
  expect(await told(id)).toBe(1);
});

test('so is a part of it, where the bank names the payout’s number', async () => {
  const utr = newReference();
  const id = await sent(404_00n);
  await debit(404_00n, utr);
  await sweep();
  await give(390_00n, newReference(), ` of IMPS/${utr}`);
  await sweep();
  expect(await told(id)).toBe(1);
});

test.each([
  ['has the number of a debit', (utr: string) => give(1_00n, utr)],
  ['names a debit in its text', (utr: string) => give(1_00n, newReference(), ` of IMPS/${utr}`)],
])(
  'a credit of another sum that %s is not its money: the debit pays, and the admins are told',
  async (_name, tell) => {
    const utr = newReference();
    const id = await sent(707_00n);
    await debit(707_00n, utr);
    await tell(utr);
    await sweep();
    expect((await read(id)).status).toBe(3);
    await sweep();
    expect(await told(id)).toBe(1);
  },
);

test('money that names a debit in its text is not told of another payout of its sum', async () => {
  const id = await sent(606_00n);
  await debit(606_00n);
  await sweep();
  expect((await read(id)).status).toBe(3);
  const utr = newReference();
  await debit(600_00n, utr);
  await give(606_00n, newReference(), ` of IMPS/${utr}`);
  await sweep();
  expect(await told(id)).toBe(0);
});

test('a credit of a sum that no payout had lately is the supplier’s own', async () => {
  const id = await sent(505_00n);
  await debit(505_00n);
  await sweep();
  await give(504_00n);
  world.clock.advance(8 * DAY);
  await give(505_00n);
  await sweep();
  expect(await told(id)).toBe(0);
});
