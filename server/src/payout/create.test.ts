import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { giveFunds, makePayoutShop, newPayout, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { brokenChecks } from '../testing/books.ts';
import { makeMerchant, setKyc, setTerms } from '../testing/world.ts';
import { createPayouts } from './create.ts';

let world: TestPlatform;
beforeAll(async () => {
  world = await createTestPlatform();
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

async function balances(merchantId: bigint): Promise<Record<string, bigint>> {
  const rows = await world.platform.db.query<{ bucket: string; balance: bigint }>(sql`
    select bucket, balance from ledger_accounts where owner_kind = 'merchant' and owner_id = ${merchantId} and currency = 'INR'`);
  return Object.fromEntries(rows.map((row) => [row.bucket, row.balance]));
}

test('a payout freezes amount and fee by the terms of that moment', async () => {
  const { platform } = world;
  const { merchantId } = await makePayoutShop(platform, 10_000_00n);
  await setTerms(platform, { ownerKind: 'merchant', ownerId: merchantId, productId: 2001, fixedFee: 5_00n });
  const order = await payOut(platform, merchantId, { amount: 1_000_00n });
  expect(order).toMatchObject({ status: 0, amount: 1_000_00n, fee: 35_00n, supplierId: null });
  expect(await balances(merchantId)).toEqual({ available: 8_965_00n, frozen: 1_035_00n });
});

test('50 times at once on two nodes it is one payout, frozen once', async () => {
  const { platform } = world;
  const other = world.anotherNode();
  const { merchantId } = await makePayoutShop(platform, 2_000_00n);
  const request = newPayout(merchantId, { amount: 1_000_00n });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, n) => createPayouts(n % 2 ? platform : other, [{ ...request }])),
  );
  expect(new Set(answers.map(([answer]) => (isRefusal(answer) ? answer.code : answer!.id))).size).toBe(1);
  expect(await balances(merchantId)).toEqual({ available: 970_00n, frozen: 1_030_00n });
});

test('a number is used once, whatever the direction; other content under it is refused', async () => {
  const { platform } = world;
  const { merchantId } = await makePayoutShop(platform);
  const first = newPayout(merchantId);
  const [a, b, c, d] = await createPayouts(platform, [
    first,
    { ...first, clientIp: '10.9.9.9' },
    { ...first, amount: first.amount + 1n },
    { ...first, payee: { ...first.payee, cardNumber: '50100123456780' } },
  ]);
  expect(!isRefusal(a) && !isRefusal(b) && a!.id === b!.id).toBe(true);
  expect([c, d]).toMatchObject([{ code: 'orderNumberReused' }, { code: 'orderNumberReused' }]);
  const shop = await makeShop(platform);
  const collection = await createOne(platform, shop.merchantId);
  await setTerms(platform, { ownerKind: 'merchant', ownerId: shop.merchantId, productId: 2001 });
  const [e] = await createPayouts(platform, [
    newPayout(shop.merchantId, { mchOrderNo: collection.mchOrderNo, amount: collection.amount }),
  ]);
  expect(e).toMatchObject({ code: 'orderNumberReused' });
});

test('what the balance cannot carry is refused alone, leaves nothing, and its number works once there is money', async () => {
  const { platform } = world;
  const { merchantId } = await makePayoutShop(platform, 1_100_00n);
  const [small, large] = [newPayout(merchantId), newPayout(merchantId, { amount: 1_000_00n })];
  const answers = await createPayouts(platform, [large, small, { ...small }, { ...large }]);
  expect(answers.map((answer) => (isRefusal(answer) ? answer.code : answer.status))).toEqual([
    0,
    'balanceInsufficient',
    'balanceInsufficient',
    0,
  ]);
  const left = await platform.db.query(
    sql`select 1 from merchant_orders where mch_order_no = ${small.mchOrderNo}`,
  );
  expect(left).toEqual([]);
  await giveFunds(platform, merchantId, 'INR', 500_00n);
  const [again] = await createPayouts(platform, [small]);
  expect(again).toMatchObject({ status: 0 });
});

test('30 payouts at once cannot spend the balance twice', async () => {
  const { platform } = world;
  const other = world.anotherNode();
  const { merchantId } = await makePayoutShop(platform, 10_300_00n);
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) =>
      createPayouts(n % 2 ? platform : other, [newPayout(merchantId, { amount: 1_000_00n })]),
    ),
  );
  const codes = answers.flat().map((answer) => (isRefusal(answer) ? answer.code : 'made'));
  expect(codes.filter((code) => code === 'made')).toHaveLength(10);
  expect(codes.filter((code) => code === 'balanceInsufficient')).toHaveLength(20);
  expect(await balances(merchantId)).toEqual({ available: 0n, frozen: 10_300_00n });
});

test('product, KYC and limits have codes of their own', async () => {
  const { platform } = world;
  const { merchantId } = await makePayoutShop(platform);
  const { merchantId: poor } = await makeMerchant(platform, { products: [] });
  const one = async (...args: Parameters<typeof newPayout>) =>
    (await createPayouts(platform, [newPayout(...args)]))[0];
  expect(await one(poor)).toMatchObject({ code: 'productNotEnabled' });
  expect(await one(merchantId, { productId: 1010 })).toMatchObject({ code: 'productNotEnabled' });
  expect(await one(merchantId, { amount: 99n })).toMatchObject({
    code: 'amountOutsideLimits',
    params: { min: '1.00' },
  });
  await setKyc(platform, { subject: 'merchant', id: merchantId, verdict: 'rejected' });
  expect(await one(merchantId)).toMatchObject({ code: 'productNotEnabled', data: { reason: 'kycMissing' } });
});

const BANK = { userName: 'A', cardNumber: '1234567890', ifscCode: 'HDFC0000521', bankName: 'HDFC' };
/** The address of the TRC20-USDT contract, and the same with a wrong last letter. */
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';

test.each([
  [2001, BANK, []],
  [2001, {}, ['userName', 'cardNumber', 'ifscCode', 'bankName']],
  [2001, { ...BANK, cardNumber: '123456789012345678901' }, ['cardNumber']],
  [2001, { ...BANK, cardNumber: '12345x' }, ['cardNumber']],
  [2001, { ...BANK, ifscCode: 'HDFC1000521' }, ['ifscCode']],
  [2001, { ...BANK, ifscCode: 'hdfc0000521' }, ['ifscCode']],
  [2001, { ...BANK, userName: 'x'.repeat(129) }, ['userName']],
  [2001, { ...BANK, vpa: 'not a vpa' }, ['vpa']],
  [2012, { vpa: 'asha.rao@okhdfcbank' }, []],
  [2012, { vpa: 'asha.rao' }, ['vpa']],
  [2010, { userName: 'A', vpa: 'asha@upi' }, []],
  [2010, { userName: 'A', cardNumber: '1234567890', ifscCode: 'HDFC0000521' }, []],
  [2010, { userName: 'A', accountType: 'UPI' }, ['vpa']],
  [2010, { userName: 'A' }, ['cardNumber', 'ifscCode']],
  [2045, { address: TRON }, []],
  [2045, { address: TRON.slice(0, -1) + 'u' }, ['address']],
  [2045, { address: '0x52908400098527886E0F7030069857D2E4169EE7' }, ['address']],
  [2060, { phone: '0712 345 678' }, []],
  [2060, { phone: '+254112345678' }, []],
  [2060, { phone: '9876543210' }, ['phone']],
] as const)('product %i with %j lacks %j', async (productId, payee, wrong) => {
  const { platform } = world;
  const { merchantId } = await makePayoutShop(platform, 0n);
  const currency = productId === 2045 ? 'USDT' : productId === 2060 ? 'KES' : 'INR';
  await giveFunds(platform, merchantId, currency, 10_000_000_000n);
  const [answer] = await createPayouts(platform, [newPayout(merchantId, { productId, payee })]);
  if (wrong.length === 0) expect(answer).toMatchObject({ status: 0, currency });
  else expect(answer).toMatchObject({ code: 'invalidInput', params: { fields: wrong.join(', ') } });
  if (productId === 2060 && wrong.length === 0)
    expect(answer).toMatchObject({ payeePhone: expect.stringMatching(/^254[17]\d{8}$/) });
});

test('only the fields of the way that is paid by are kept', async () => {
  const { merchantId } = await makePayoutShop(world.platform);
  const both = {
    userName: 'Asha Rao',
    accountType: 'UPI',
    vpa: 'asha@okhdfc',
    cardNumber: '9876543210',
    ifscCode: 'HDFC0000521',
  };
  const kept = { payeeVpa: 'asha@okhdfc', payeeAccount: null, payeeIfsc: null };
  expect(await payOut(world.platform, merchantId, { productId: 2010, payee: both })).toMatchObject(kept);
  expect(await payOut(world.platform, merchantId, { productId: 2012, payee: both })).toMatchObject(kept);
  const byBank = { ...both, accountType: 'BANK', bankName: 'HDFC Bank' };
  const banked = { payeeVpa: null, payeeAccount: '9876543210', payeeIfsc: 'HDFC0000521' };
  expect(await payOut(world.platform, merchantId, { productId: 2010, payee: byBank })).toMatchObject(banked);
  expect(await payOut(world.platform, merchantId, { productId: 2001, payee: byBank })).toMatchObject(banked);
});
