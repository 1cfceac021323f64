import * as contract from '@sangam/contract/endpoints/merchant.ts';
import { getMerchantList } from '@sangam/contract/endpoints/party.ts';
import { decide } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { makeMerchant, makeUser, viewerOf } from '../../testing/world.ts';

/** What was agreed to does not take back what was done since somebody asked for it. */

let node: TestPlatform;
let asker: Viewer;
let second: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const person = async () =>
    viewerOf(node.platform, {
      role: 'superAdmin',
      userId: (await makeUser(node.platform, { role: 'superAdmin' })).id,
    });
  [asker, second] = [await person(), await person()];
});
afterAll(() => node.close());

const todoOf = async (...[endpoint, input]: [Parameters<typeof askRefused>[2], object]): Promise<string> => {
  const asked = await askRefused(node.platform, asker, endpoint, { ...input });
  expect(asked.code).toBe('approvalNeeded');
  return (asked.data as { todoId: string }).todoId;
};

test('a weaker signature switches on no merchant that was switched off since', async () => {
  const { platform } = node;
  const id = String((await makeMerchant(platform, { signType: 'hmac-sha256' })).merchantId);
  // As the form sends it: whole.
  const todo = await todoOf(contract.updateMerchant, {
    id,
    name: `Renamed ${id}`,
    enabled: true,
    signType: 'md5',
    callbackTransport: null,
  });
  await ask(platform, second, contract.updateMerchant, { id, name: `Other ${id}`, enabled: false });
  await ask(platform, second, decide, { id: todo, approve: true });
  const [row] = (await ask(platform, asker, getMerchantList, { id })).list;
  expect(row).toMatchObject({ name: `Other ${id}`, enabled: false, signType: 'md5' });
});

test('a name that is the merchant’s id is changed beside a weaker signature too', async () => {
  const { platform } = node;
  const id = String((await makeMerchant(platform, { signType: 'hmac-sha256' })).merchantId);
  await todoOf(contract.updateMerchant, { id, name: id, signType: 'md5' });
  expect((await ask(platform, asker, getMerchantList, { id })).list[0]).toMatchObject({ name: id });
});

test('the secret that was to be voided is not voided once the merchant has issued another', async () => {
  const { platform } = node;
  const { merchantId, userId } = await makeMerchant(platform);
  const id = String(merchantId);
  const own = viewerOf(platform, { role: 'merchant', merchantId, userId });
  await ask(platform, own, contract.rotateSecret, { id, overlapMinutes: 0 });
  node.clock.advance(MINUTE);
  const todo = await todoOf(contract.rotateSecret, { id, overlapMinutes: 0 });
  node.clock.advance(MINUTE);
  await ask(platform, own, contract.rotateSecret, { id, overlapMinutes: 0 });
  const secret = async () =>
    (
      await platform.db.query<{ secret: Buffer }>(sql`select secret from merchants where id = ${merchantId}`)
    )[0]!.secret;
  const issued = await secret();
  expect((await askRefused(platform, second, decide, { id: todo, approve: true })).code).toBe('conflict');
  expect(await secret()).toEqual(issued);
});
