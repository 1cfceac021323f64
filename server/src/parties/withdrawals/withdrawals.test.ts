import { randomUUID } from 'node:crypto';
import { claimOrder, confirmPaid, getPayoutDetail } from '@sangam/contract/endpoints/payout.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import * as contract from '@sangam/contract/endpoints/withdrawal.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import type { Refusal } from '../../platform/refusal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { balancesIn, brokenChecks } from '../../testing/books.ts';
import { GATEWAY_PAYOUT, makePayoutShop, payOut, type PayoutShop } from '../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeUser, setTerms, viewerOf } from '../../testing/world.ts';

const BANK_PAYOUT = 2001;
const UPI_PAYOUT = 2012;

let node: TestPlatform;
let admin: Viewer;
let shop: PayoutShop;
let merchant: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const { id } = await makeUser(node.platform, { role: 'admin' });
  admin = viewerOf(node.platform, { role: 'admin', userId: id });
});
beforeEach(async () => {
  shop = await makePayoutShop(node.platform, 10_000_00n);
  merchant = await ownUser(shop);
});
afterAll(async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
  await node.close();
});

async function ownUser({ merchantId }: PayoutShop): Promise<Viewer> {
  const [row] = await node.platform.db.query<{ userId: bigint }>(
    sql`select user_id as "userId" from merchants where id = ${merchantId}`,
  );
  return viewerOf(node.platform, { role: 'merchant', userId: row!.userId, merchantId });
}

const BANK = {
  kind: 'bank',
  userName: 'Chaya Traders',
  bankName: 'HDFC Bank',
  cardNumber: '50100998877665',
  ifscCode: 'hdfc0000521',
};
const UPI = { kind: 'upi', userName: 'Chaya Traders', vpa: 'Chaya.Traders@okhdfc' };

async function asked(fields: object = BANK): Promise<string> {
  const input = { reason: 'Our own account', requestKey: randomUUID(), ...fields };
  const refusal = await askRefused(node.platform, merchant, contract.askForBeneficiary, input);
  expect(refusal.code).toBe('approvalNeeded');
  return (refusal.data as { todoId: string }).todoId;
}
const agree = (id: string) => ask(node.platform, admin, decide, { id, approve: true });
const beneficiaries = (viewer = merchant) => ask(node.platform, viewer, contract.getBeneficiaries);

/** Gives the merchant a beneficiary; answers its id. */
async function agreed(fields: object = BANK): Promise<string> {
  await agree(await asked(fields));
  return (await beneficiaries()).list.at(-1)!.id;
}

const wish = (beneficiaryId: string, fields: object = {}) => ({
  beneficiaryId,
  productId: BANK_PAYOUT,
  amount: 1_000_00,
  fee: 30_00,
  requestKey: randomUUID(),
  ...fields,
});
const withdraw = (input: object, viewer = merchant) =>
  ask(node.platform, viewer, contract.withdraw, { ...input });
const refused = (input: object, viewer = merchant): Promise<Refusal> =>
  askRefused(node.platform, viewer, contract.withdraw, { ...input });
const reasonOf = ({ code, data }: Refusal) => [code, (data as { reason?: string } | undefined)?.reason];
const balances = () => balancesIn(node.platform, 'merchant', shop.merchantId);
const payoutsOf = async () =>
  (await node.platform.db.query(sql`select id from payout_orders where merchant_id = ${shop.merchantId}`))
    .length;

test('a merchant withdraws to an account once an admin has agreed, and sees only the last digits of the account', async () => {
  const todoId = await asked();
  const shown = { kind: 'bank', userName: 'Chaya Traders', cardNumber: '**** 7665', ifscCode: 'HDFC0000521' };
  expect(await beneficiaries()).toMatchObject({ list: [], waiting: [{ todoId, replaces: null, ...shown }] });
  // The request's id is not a beneficiary's id, and there is no beneficiary yet.
  expect((await refused(wish(todoId))).code).toBe('notFound');

  await agree(todoId);
  expect(await beneficiaries()).toMatchObject({
    list: [
      { ...shown, products: [{ productId: BANK_PAYOUT, currency: 'INR' }, { productId: GATEWAY_PAYOUT }] },
    ],
    waiting: [],
  });
});

test('a request that is refused or taken back never adds a beneficiary', async () => {
  await ask(node.platform, admin, decide, { id: await asked(), approve: false, reason: 'Another name' });
  expect(await beneficiaries()).toEqual({ list: [], waiting: [] });
});

test('the merchant cannot approve its own request, and the database refuses a beneficiary without approval', async () => {
  const { platform } = node;
  const todoId = await asked();
  expect((await askRefused(platform, merchant, decide, { id: todoId, approve: true })).code).toBe(
    'forbidden',
  );
  const write = (approvalId: bigint, merchantId = shop.merchantId) =>
    platform.db.tx((tx) =>
      tx.query(sql`
        insert into beneficiaries (id, merchant_id, approval_id, name, vpa, approved_at)
        values (${platform.ids.next()}, ${merchantId}, ${approvalId}, 'Thief', 'thief@ybl', ${platform.clock.now()})`),
    );
  await expect(write(BigInt(todoId))).rejects.toThrow('nobody agreed');
  const { merchantId: other } = await makePayoutShop(platform, 0n);
  await agree(todoId);
  await expect(write(BigInt(await asked(UPI)))).rejects.toThrow('nobody agreed');
  await expect(write(BigInt(todoId), other)).rejects.toThrow();
  await expect(platform.db.query(sql`update beneficiaries set account = '1234'`)).rejects.toThrow(
    'permission denied',
  );
});

test('amount and fee are shown, then frozen; the withdrawal shows the state of its payout', async () => {
  const { platform } = node;
  const beneficiaryId = await agreed();
  const quote = await ask(platform, merchant, contract.getQuote, {
    beneficiaryId,
    productId: BANK_PAYOUT,
    amount: 1_000_00,
  });
  expect(quote).toEqual({
    currency: 'INR',
    amount: 1_000_00,
    fee: 30_00,
    total: 1_030_00,
    available: 10_000_00,
  });

  const { orderCode } = await withdraw(wish(beneficiaryId, { fee: quote.fee }));
  expect(await balances()).toMatchObject({ available: 8_970_00n, frozen: 1_030_00n });
  const list = async () => (await ask(platform, merchant, contract.getWithdrawals)).list;
  const row = {
    orderCode,
    userName: 'Chaya Traders',
    cardNumber: '**** 7665',
    amount: 1_000_00,
    fee: 30_00,
    currency: 'INR',
  };
  expect(await list()).toMatchObject([{ ...row, orderStatusId: PAYOUT_STATUS.waiting, utr: null }]);

  const supplier = viewerOf(platform, { role: 'supplier', supplierId: shop.supplierId });
  await ask(platform, supplier, claimOrder, { orderId: orderCode });
  const { order } = await ask(platform, supplier, getPayoutDetail, { orderCode });
  expect(order).toMatchObject({
    userName: 'Chaya Traders',
    cardNumber: '50100998877665',
    ifscCode: 'HDFC0000521',
  });
  await ask(platform, supplier, confirmPaid, { orderCode, utr: 'HDFCR52026112700042' });
  expect(await list()).toMatchObject([
    {
      ...row,
      orderStatusId: PAYOUT_STATUS.completed,
      utr: 'HDFCR52026112700042',
      finishTime: expect.any(String),
    },
  ]);
  expect(await balances()).toMatchObject({ available: 8_970_00n, frozen: 0n });
});

test('a UPI address is paid by UPI and nothing else', async () => {
  const upi = await agreed(UPI);
  const { list } = await beneficiaries();
  expect(list.at(-1)).toMatchObject({
    vpa: 'c***@okhdfc',
    products: [{ productId: GATEWAY_PAYOUT }, { productId: UPI_PAYOUT }],
  });
  expect((await refused(wish(upi))).code).toBe('invalidInput');
  await withdraw(wish(upi, { productId: UPI_PAYOUT }));
});

test('a sum that with its fee exceeds the balance is neither quoted nor frozen', async () => {
  const beneficiaryId = await agreed();
  const all = { beneficiaryId, productId: BANK_PAYOUT, amount: 10_000_00 };
  expect((await askRefused(node.platform, merchant, contract.getQuote, all)).code).toBe(
    'balanceInsufficient',
  );
  expect((await refused(wish(beneficiaryId, { amount: 10_000_00, fee: 300_00 }))).code).toBe(
    'balanceInsufficient',
  );
  expect(await balances()).toEqual({ available: 10_000_00n });
  expect(await payoutsOf()).toBe(0);
});

test('one key makes one payout, however often it is sent, also at the same time', async () => {
  const beneficiaryId = await agreed();
  const input = wish(beneficiaryId);
  const codes = await Promise.all(Array.from({ length: 6 }, () => withdraw(input)));
  expect(new Set(codes.map(({ orderCode }) => orderCode)).size).toBe(1);
  expect(await payoutsOf()).toBe(1);
  expect(await balances()).toMatchObject({ available: 8_970_00n, frozen: 1_030_00n });
  expect((await refused({ ...input, amount: 2_000_00, fee: 60_00 })).code).toBe('orderNumberReused');
  // Also after the beneficiary was removed: the first answer may have been lost.
  await ask(node.platform, merchant, contract.removeBeneficiary, { id: beneficiaryId });
  expect(await withdraw(input)).toEqual(codes[0]);
});

test('nobody withdraws to the beneficiary of another merchant', async () => {
  const beneficiaryId = await agreed();
  const other = await ownUser(await makePayoutShop(node.platform, 10_000_00n));
  expect((await refused(wish(beneficiaryId), other)).code).toBe('notFound');
  expect(
    (await askRefused(node.platform, other, contract.removeBeneficiary, { id: beneficiaryId })).code,
  ).toBe('notFound');
  const replacing = { ...UPI, replaces: beneficiaryId, reason: 'Mine now', requestKey: randomUUID() };
  expect((await askRefused(node.platform, other, contract.askForBeneficiary, replacing)).code).toBe(
    'notFound',
  );
  expect((await beneficiaries(other)).list).toEqual([]);
});

test('nobody withdraws to a removed beneficiary, even after a quote', async () => {
  const beneficiaryId = await agreed();
  await ask(node.platform, merchant, contract.removeBeneficiary, { id: beneficiaryId });
  await ask(node.platform, merchant, contract.removeBeneficiary, { id: beneficiaryId });
  expect(reasonOf(await refused(wish(beneficiaryId)))).toEqual(['conflict', 'beneficiaryGone']);
  expect(await payoutsOf()).toBe(0);
  // The account may be requested again.
  await agreed();
});

test('a change replaces the old account once it is approved, not before', async () => {
  const old = await agreed();
  const todoId = await asked({ ...BANK, cardNumber: '50100112233445', replaces: old });
  expect((await beneficiaries()).waiting).toMatchObject([{ todoId, replaces: old, cardNumber: '**** 3445' }]);
  await withdraw(wish(old));
  await agree(todoId);
  expect((await beneficiaries()).list).toMatchObject([{ cardNumber: '**** 3445' }]);
  expect(reasonOf(await refused(wish(old)))).toEqual(['conflict', 'beneficiaryGone']);
  const gone = { ...UPI, replaces: old, reason: 'Once more', requestKey: randomUUID() };
  expect(reasonOf(await askRefused(node.platform, merchant, contract.askForBeneficiary, gone))).toEqual([
    'conflict',
    'beneficiaryGone',
  ]);
});

test('an account is on the list once, even when it was requested twice', async () => {
  const [first, second] = [await asked(), await asked()];
  await agree(first);
  expect(reasonOf(await askRefused(node.platform, admin, decide, { id: second, approve: true }))).toEqual([
    'conflict',
    'accountExists',
  ]);
  const again = { ...BANK, reason: 'Again', requestKey: randomUUID() };
  expect(reasonOf(await askRefused(node.platform, merchant, contract.askForBeneficiary, again))).toEqual([
    'conflict',
    'accountExists',
  ]);
  expect((await beneficiaries()).list).toHaveLength(1);
});

test('an invalid account or address is refused at its field, and so are more than twenty', async () => {
  const refusedFields = async (fields: object) => {
    const input = { reason: 'Ours', requestKey: randomUUID(), ...fields };
    const { code, data } = await askRefused(node.platform, merchant, contract.askForBeneficiary, input);
    return [code, ((data as { fields?: { path: string }[] }).fields ?? []).map(({ path }) => path).join()];
  };
  expect(await refusedFields({ ...BANK, ifscCode: 'HDFC1', cardNumber: '12-3' })).toEqual([
    'invalidInput',
    'cardNumber,ifscCode',
  ]);
  expect(await refusedFields({ kind: 'upi', userName: 'Chaya', cardNumber: '50100998877665' })).toEqual([
    'invalidInput',
    'vpa',
  ]);
  for (let number = 0; number < 20; number += 1)
    await asked({ ...BANK, cardNumber: `5010000000${10 + number}` });
  const input = { ...BANK, reason: 'One more', requestKey: randomUUID() };
  expect(reasonOf(await askRefused(node.platform, merchant, contract.askForBeneficiary, input))).toEqual([
    'conflict',
    'beneficiariesTooMany',
  ]);
});

test('a withdrawal with a fee that has changed since it was shown is refused', async () => {
  const beneficiaryId = await agreed();
  await setTerms(node.platform, {
    ownerKind: 'merchant',
    ownerId: shop.merchantId,
    productId: BANK_PAYOUT,
    ratePpm: 40_000,
  });
  expect(reasonOf(await refused(wish(beneficiaryId)))).toEqual(['conflict', 'feeChanged']);
  expect(await balances()).toEqual({ available: 10_000_00n });
  await withdraw(wish(beneficiaryId, { fee: 40_00 }));
});

test('while the service is suspended nothing is withdrawn, but earlier requests still get their answer', async () => {
  const beneficiaryId = await agreed();
  const input = wish(beneficiaryId);
  const made = await withdraw(input);
  await node.platform.settings.write('enableService', false, null);
  expect((await refused(wish(beneficiaryId))).code).toBe('serviceSuspended');
  expect(await withdraw(input)).toEqual(made);
  await node.platform.settings.write('enableService', true, null);
});

test('the database takes no withdrawal that pays somebody else', async () => {
  const beneficiaryId = BigInt(await agreed());
  const { id: orderId } = await payOut(node.platform, shop.merchantId);
  await expect(
    node.platform.db.query(sql`
      insert into withdrawals (order_id, merchant_id, beneficiary_id, asked_by, created_at)
      values (${orderId}, ${shop.merchantId}, ${beneficiaryId}, ${merchant.userId}, ${node.clock.now()})`),
  ).rejects.toThrow('does not pay the beneficiary');
});
