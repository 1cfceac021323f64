import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { isRefusal } from '../platform/refusal.ts';
import { ask } from '../testing/ask.ts';
import { makeGatewayAccount } from '../testing/gateway.ts';
import { makeShop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { askForCredentials } from './gateway-credentials.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

test('new credentials wait sealed for a second person and are shown nowhere', async () => {
  const { platform } = node;
  const accountId = await makeGatewayAccount(platform, (await makeShop(platform)).supplierId);
  const admin = async () =>
    viewerOf(platform, { role: 'admin', userId: (await makeUser(platform, { role: 'admin' })).id });
  const [maker, checker] = [await admin(), await admin()];
  const credentials = { keyId: 'rzp_live_1', keySecret: 'hush-hush' };
  const started = await platform.db.tx((tx) =>
    askForCredentials(platform, tx, maker, { accountId, credentials, reason: 'key rotated' }),
  );
  if (isRefusal(started)) throw new Error(started.code);
  const { list } = await ask(platform, checker, getMine);
  expect(list).toMatchObject([{ kind: 'gatewayCredentials', payload: { fields: ['keyId', 'keySecret'] } }]);
  await ask(platform, checker, decide, { id: String(started.todoId), approve: true });
  const [row] = await platform.db.query<{ credentials: Buffer }>(
    sql`select credentials from accounts where id = ${accountId}`,
  );
  expect(JSON.parse(platform.vault.open(row!.credentials, ['accounts.credentials', accountId]))).toEqual(
    credentials,
  );
  const shown = await platform.db.query(sql`select before, after from audit_log`);
  expect(JSON.stringify([list, shown])).not.toContain('hush-hush');
});
