import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { CheckAnswer, PayoutChannel, SendAnswer } from '../channels/payout-channel.ts';
import { MINUTE, SECOND } from '../clock.ts';
import { isRefusal, type Refusal } from '../refusal.ts';
import { brokenChecks } from '../testing/books.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { newReference } from '../testing/payments.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeSupplier, viewerOf } from '../testing/world.ts';
import { askGateways, recordWord } from './ask-gateways.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { expireClaims } from './expire-claims.ts';
import type { PayoutOrder } from './order.ts';
import { reselectPayout } from './reselect.ts';
import { readPayouts } from './store.ts';

let world: TestPlatform;
let shop: PayoutShop;
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makePayoutShop(world.platform, 10n ** 12n);
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

/** What the gateway answers to a send, and to every question about it. */
let answer: SendAnswer;
let word: CheckAnswer;
const channel: PayoutChannel = {
  send: () => Promise.resolve(answer),
  check: () => Promise.resolve(word),
};
const channels = new Map([[GATEWAY_PAYOUT, channel]]);
beforeEach(() => {
  answer = { outcome: 'accepted', reference: 'pout_1' };
  word = { state: 'processing' };
});

async function sent(): Promise<bigint> {
  const { id } = await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  await dispatchWaiting(world.platform, channels);
  return id;
}
const read = async (id: bigint): Promise<PayoutOrder> => (await readPayouts(world.platform.db, [id]))[0]!;
const desk = () => viewerOf(world.platform, { role: 'admin' });
function done<T>(result: T | Refusal): T {
  if (isRefusal(result)) throw new Error(`refused ${result.code}`);
  return result;
}

test('what a gateway says of an attempt that failed does not end the claim of the supplier who took it on', async () => {
  const { supplierId } = await makeSupplier(world.platform, { products: [GATEWAY_PAYOUT], deposit: 0n });
  const supplier = viewerOf(world.platform, { role: 'supplier', supplierId });
  answer = { outcome: 'refused', reason: 'low balance' };
  const id = await sent();
  done(await reselectPayout(world.platform, desk(), id));
  done(await claim(world.platform, supplier, id));
  world.clock.advance(31 * MINUTE);
  await expireClaims(world.platform);
  expect(await read(id)).toMatchObject({ status: 7, attempt: 1 });
  word = { state: 'failed', reason: 'low balance' };
  world.clock.advance(16 * SECOND);
  expect(await askGateways(world.platform, channels)).toBe(0);
  expect(await recordWord(world.platform, { id, attempt: 1 }, word)).toBe(false);
  const paid = done(await confirmPaid(world.platform, supplier, { orderId: id, utr: newReference() }));
  expect(paid).toMatchObject({ status: 3, supplierId });
});
