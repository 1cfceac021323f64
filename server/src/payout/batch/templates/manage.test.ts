import * as contract from '@sangam/contract/endpoints/payout-template.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRefusal } from '../../../platform/refusal.ts';
import type { Viewer } from '../../../platform/viewer.ts';
import { ask, askRefused } from '../../../testing/ask.ts';
import { type BatchShop, batchRequest, makeBatchShop, templateId } from '../../../testing/batches.ts';
import { payOut } from '../../../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../../../testing/platform.ts';
import { makeUser, viewerOf } from '../../../testing/world.ts';
import { createBatch } from '../create.ts';

/** A format says whom a bank's file pays, so no file is made by a format that only one person has seen. */

let world: TestPlatform;
let shop: BatchShop;
let [boss, other]: Viewer[] = [];
beforeAll(async () => {
  world = await createTestPlatform();
  shop = await makeBatchShop(world.platform);
  const superAdmin = async () =>
    viewerOf(world.platform, {
      role: 'superAdmin',
      userId: (await makeUser(world.platform, { role: 'superAdmin' })).id,
    });
  [boss, other] = [await superAdmin(), await superAdmin()];
});
afterAll(() => world.close());

test('a new version is switched off, and on again once a second person agrees to that very version', async () => {
  const { platform } = world;
  const id = await templateId(platform, 'ICICI CIB');
  const isUsed = async () => {
    await payOut(platform, shop.merchantId, { amount: 100_00n });
    return !isRefusal(await createBatch(platform, shop.admin, await batchRequest(platform, shop)));
  };
  expect(await isUsed()).toBe(true);
  const change = async () => {
    const { version, format } = await ask(platform, boss!, contract.getPayoutTemplate, { templateId: id });
    const columns = format.columns.map((column) =>
      column.value === '{{payeeAccount}}' ? { ...column, value: '50100999999999' } : column,
    );
    const changed = { templateId: id, version, format: { ...format, columns } };
    await ask(platform, boss!, contract.updatePayoutTemplate, changed);
  };
  const askOn = async () => {
    const on = { templateId: id, enable: true };
    const { code, data } = await askRefused(platform, boss!, contract.enablePayoutTemplate, on);
    expect(code).toBe('approvalNeeded');
    return (data as { readonly todoId: string }).todoId;
  };
  await change();
  expect(await isUsed()).toBe(false);
  const early = await askOn();
  expect(await isUsed()).toBe(false);
  await change();
  expect((await askRefused(platform, other!, decide, { id: early, approve: true })).code).toBe('conflict');
  await ask(platform, other!, decide, { id: await askOn(), approve: true });
  expect(await isUsed()).toBe(true);
  expect(
    await ask(platform, boss!, contract.enablePayoutTemplate, { templateId: id, enable: false }),
  ).toMatchObject({
    enable: false,
  });
  expect(await isUsed()).toBe(false);
});
