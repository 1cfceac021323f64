import { revealPerson } from '@sangam/contract/endpoints/order.ts';
import { REVEALS_A_DAY } from '@sangam/contract/personal-data.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask, askRefused } from '../testing/ask.ts';
import { createOne, makeShop } from '../testing/payments.ts';
import { makePayoutShop, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeUser, viewerOf } from '../testing/world.ts';

let node: TestPlatform;
let merchantId: bigint;
let order: string;
let payout: string;
beforeAll(async () => {
  node = await createTestPlatform();
  const shop = await makeShop(node.platform);
  order = String((await createOne(node.platform, shop.merchantId, { userName: 'Meera Iyer' })).id);
  ({ merchantId } = await makePayoutShop(node.platform));
  payout = String((await payOut(node.platform, merchantId)).id);
});
afterAll(() => node.close());

const reason = 'the payee asks which account it is';
const person = async (role: Role, more: { readonly merchantId?: bigint } = {}): Promise<Viewer> =>
  viewerOf(node.platform, { role, userId: (await makeUser(node.platform, { role })).id, ...more });
const refused = async (viewer: Viewer, input: object) =>
  (await askRefused(node.platform, viewer, revealPerson, { reason, ...input } as never)).code;

test('a viewer who sees masked values is shown one, and the audit says which, of which order, and why', async () => {
  const support = await person('technicalMaintenance');
  const shown = async (orderCode: string, field: 'userName' | 'cardNumber') =>
    (await ask(node.platform, support, revealPerson, { orderCode, field, reason })).value;
  expect(await shown(order, 'userName')).toBe('Meera Iyer');
  expect(await shown(payout, 'cardNumber')).toMatch(/^\d{9,}$/);
  const kept = await node.platform.db.query(sql`
    select subject, after, reason from audit_log where user_id = ${support.userId} and action = 'order.reveal' order by id`);
  expect(kept).toEqual([
    { subject: `order:${order}`, after: { field: 'userName' }, reason },
    { subject: `order:${payout}`, after: { field: 'cardNumber' }, reason },
  ]);
});

test('a merchant is shown its own payees, and no other one’s', async () => {
  const own = await person('merchant', { merchantId });
  expect(
    (await ask(node.platform, own, revealPerson, { orderCode: payout, field: 'userName', reason })).value,
  ).toBe('Asha Rao');
  const { merchantId: another } = await makeMerchant(node.platform, { products: [] });
  const other = await person('merchant', { merchantId: another });
  expect(await refused(other, { orderCode: payout, field: 'userName' })).toBe('notFound');
});

test('a value that the order does not have is not found, and nothing is written', async () => {
  const support = await person('technicalMaintenance');
  expect(await refused(support, { orderCode: order, field: 'cardNumber' })).toBe('notFound');
  expect(await refused(support, { orderCode: payout, field: 'vpa' })).toBe('notFound');
  expect(await refused(support, { orderCode: '1', field: 'userName' })).toBe('notFound');
  expect(
    await node.platform.db.query(sql`select from audit_log where user_id = ${support.userId}`),
  ).toHaveLength(0);
});

test('a user is shown a limited number of values a day, also when all are asked for at once', async () => {
  const support = await person('technicalMaintenance');
  const asked = async () => {
    try {
      await ask(node.platform, support, revealPerson, { orderCode: payout, field: 'userName', reason });
      return 200;
    } catch {
      return refused(support, { orderCode: payout, field: 'userName' });
    }
  };
  const codes = await Promise.all(Array.from({ length: REVEALS_A_DAY + 5 }, asked));
  expect(codes.filter((code) => code === 200)).toHaveLength(REVEALS_A_DAY);
  expect(codes.filter((code) => code === 'tooMany')).toHaveLength(5);
  node.clock.advance(DAY + 1);
  expect(await asked()).toBe(200);
});
