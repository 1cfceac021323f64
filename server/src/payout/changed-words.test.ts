import { setFrozen } from '@sangam/contract/endpoints/merchant.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide } from '../approvals/decide.ts';
import type { CheckAnswer, PayoutChannel } from '../channels/payout-channel.ts';
import { reverse } from '../orders/reverse.ts';
import { HOUR, SECOND } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { isRefusal, type Refusal } from '../platform/refusal.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { type BatchShop, makeBatchShop } from '../testing/batches.ts';
import { brokenChecks } from '../testing/books.ts';
import { reportDebit } from '../testing/debits.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { newReference } from '../testing/payments.ts';
import { GATEWAY_PAYOUT, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { todoOf } from '../testing/reversal.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { askAboutEnded, recordGatewayStatus } from './ask-gateways.ts';
import { cancel } from './cancel.ts';
import { claim } from './claim.ts';
import { confirmPaid } from './confirm-paid.ts';
import { notifyPaidElsewhere } from './contradicted.ts';
import { reportDebitsOfEnded } from './ended-debits.ts';
import { matchDebits } from './match-debits.ts';
import { proveConfirmed } from './prove.ts';
import { readPayout } from './read.ts';
import { reject } from './reject.ts';
import { reselectPayout } from './reselect.ts';
import { takenBackByGateway } from './reverse.ts';

/** A gateway, a bank or a claimer says something else than before, while people decide. */

let world: TestPlatform;
let shop: BatchShop;
let supplier: Viewer;
let superAdmins: readonly [Viewer, Viewer];
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform);
  supplier = viewerOf(world.platform, { role: 'supplier', supplierId: shop.supplierId });
  const superAdmin = async () => {
    const { id: userId } = await makeUser(world.platform, { role: 'superAdmin' });
    return viewerOf(world.platform, { role: 'superAdmin', userId });
  };
  superAdmins = [await superAdmin(), await superAdmin()];
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

const read = async (id: bigint) => (await readPayout(world.platform.db, id))!;
const must = (result: unknown) => {
  if (isRefusal(result)) throw new Error(result.code);
};
const agree = (by: Viewer, refusal: unknown) =>
  decide(world.platform, APPROVAL_HANDLERS, by, { id: todoOf(refusal as Refusal), approve: true });
const told = async (id: bigint) =>
  (
    await world.platform.db.query<{ kind: string }>(sql`
      select distinct kind from inbox_messages where data->>'order' = ${String(id)} order by kind`)
  ).map(({ kind }) => kind);

let says: CheckAnswer = { state: 'processing' };
const channel: PayoutChannel = {
  send: (_payout, key) => Promise.resolve({ outcome: 'accepted', reference: `pout_${key}` }),
  check: () => Promise.resolve(says),
};
const channels = new Map([[GATEWAY_PAYOUT, channel]]);
async function sent(): Promise<bigint> {
  const { id } = await payOut(world.platform, shop.merchantId, { productId: GATEWAY_PAYOUT });
  await dispatchWaiting(world.platform, channels);
  return id;
}
const freeze = (id: bigint, frozen: boolean) =>
  ask(world.platform, shop.admin, setFrozen, {
    subjectKind: 'order',
    subjectId: String(id),
    reason: 'court letter 9',
    frozen,
  });

test('a reversal that waits is not done while the gateway’s last word is that it paid, however often it changed its mind', async () => {
  const id = await sent();
  const utr = newReference();
  const named = { id, attempt: 1 };
  expect(await recordGatewayStatus(world.platform, named, { state: 'processed', utr })).toBe(true);
  await freeze(id, true);
  for (let round = 0; round < 2; round += 1) {
    expect(await takenBackByGateway(world.platform, named, 'returned')).toBe('held');
    await notifyPaidElsewhere(world.platform, named, { isPresent: true, utr });
  }
  await freeze(id, false);
  expect((await read(id)).status).toBe(3);
});

test('the gateway’s last word counts, whichever of two nodes with different clocks heard it', async () => {
  const [ahead, behind] = [world.anotherNode(30 * SECOND), world.anotherNode(-30 * SECOND)];
  const [kept, undone] = [await sent(), await sent()];
  for (const id of [kept, undone]) {
    const named = { id, attempt: 1 };
    const utr = newReference();
    await recordGatewayStatus(world.platform, named, { state: 'processed', utr });
    await freeze(id, true);
    expect(await takenBackByGateway(ahead, named, 'returned')).toBe('held');
    const hears = id === kept ? behind : ahead;
    expect(await notifyPaidElsewhere(hears, named, { isPresent: true, utr })).toBe(true);
  }
  expect(await takenBackByGateway(behind, { id: undone, attempt: 1 }, 'returned')).toBe('held');
  await freeze(kept, false);
  await freeze(undone, false);
  expect([(await read(kept)).status, (await read(undone)).status]).toEqual([3, 6]);
});

test('the admins are notified where the gateway paid another sum by the UTR that a person confirmed', async () => {
  const id = await sent();
  const utr = newReference();
  must(await confirmPaid(world.platform, shop.admin, { orderId: id, utr }));
  says = { state: 'processed', utr, amount: 100_00n };
  world.clock.advance(7 * HOUR);
  await askAboutEnded(world.platform, channels);
  says = { state: 'processing' };
  expect(await told(id)).toEqual(['gatewaySaysPaid']);
  expect((await read(id)).unproven).toBe(true);
});

let balance = 900_000_00n;
const debit = (amount: bigint, utr?: string) =>
  reportDebit(world.platform, shop, { amount, balance: (balance -= amount), ...(utr && { utr }) });
const sweep = async () => {
  for (const each of [matchDebits, proveConfirmed, reportDebitsOfEnded]) await each(world.platform);
};

test('a reversal that was asked for because nothing proved the payout is not done once its debit has proved it', async () => {
  const { id } = await payOut(world.platform, shop.merchantId, { amount: 611_00n });
  must(await claim(world.platform, supplier, id));
  const utr = newReference();
  must(await confirmPaid(world.platform, supplier, { orderId: id, utr, accountId: shop.accountId }));
  const asked = await reverse(world.platform, superAdmins[0], { orderId: id, reason: 'nobody paid it' });
  for (let n = 0; n < 6; n += 1) await debit(1_00n);
  await debit(611_00n, utr);
  await sweep();
  expect((await read(id)).unproven).toBe(false);
  expect(await agree(superAdmins[1], asked)).toMatchObject({
    code: 'conflict',
    data: { reason: 'orderChanged' },
  });
  expect((await read(id)).status).toBe(3);
  // Two people may still reverse it as it stands.
  const refusal = { id: todoOf(asked), approve: false, reason: 'it was paid' };
  must(await decide(world.platform, APPROVAL_HANDLERS, superAdmins[1], refusal));
  const again = await reverse(world.platform, superAdmins[0], { orderId: id, reason: 'it came back' });
  expect(await agree(superAdmins[1], again)).toMatchObject({ status: 'approved' });
});

test('an admin alone cancels no payout past the limit of the day that was said to be paid', async () => {
  const { platform } = world;
  await platform.settings.write('UnprovenDayLimit', { INR: 100_00, KES: 0, USDT: 0 }, null);
  const id = await sent();
  const named = { id, attempt: 1 };
  await recordGatewayStatus(platform, named, { state: 'failed', reason: 'x' });
  await notifyPaidElsewhere(platform, named, { isPresent: true, utr: newReference() });
  expect((await read(id)).frozen).toBe(true);
  const unfreezing = await ask(platform, shop.admin, setFrozen, {
    subjectKind: 'order',
    subjectId: String(id),
    reason: 'looked at',
    frozen: false,
  }).catch((error: unknown) => error);
  expect(unfreezing).toBeDefined();
  const [waits] = await platform.db.query<{ id: bigint }>(
    sql`select id from approvals where subject_id = ${id} and status = 'pending'`,
  );
  must(await decide(platform, APPROVAL_HANDLERS, superAdmins[0], { id: waits!.id, approve: true }));
  expect(await reject(platform, shop.admin, { orderId: id, reason: 'x' })).toMatchObject({
    code: 'approvalNeeded',
  });
  must(await reselectPayout(platform, shop.admin, id));
  expect((await read(id)).status).toBe(0);
  const cancelled = await cancel(platform, shop.admin, id);
  expect(isRefusal(cancelled)).toBe(true);
  await platform.settings.write('UnprovenDayLimit', { INR: 10_000_00, KES: 0, USDT: 0 }, null);
  await platform.db.query(sql`update payout_orders set frozen = true where id = ${id}`);
});
