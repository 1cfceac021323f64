import { getHome } from '@sangam/contract/endpoints/home.ts';
import { enableResource, getResourceList } from '@sangam/contract/endpoints/party.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setLegalHold } from '../orders/holds/set-hold.ts';
import { call } from '../testing/call.ts';
import { createTestSupplier, createTestUser, signedIn } from '../testing/people.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeAccount, makeMonitor, viewerOf } from '../testing/world.ts';
import { heartbeat } from '../evidence/monitors/heartbeat.ts';

let node: TestPlatform;
let app: FastifyInstance;
beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
});
afterAll(() => node.close());

test('a supplier is not told that its account is under a legal hold; the desk is', async () => {
  const { platform } = node;
  const { id: supplierId, user } = await createTestSupplier(platform);
  const { monitorId } = await makeMonitor(platform, { supplierId });
  await heartbeat(platform, { id: monitorId, supplierId }, { scriptVersion: '1' });
  const { accountId } = await makeAccount(platform, { supplierId, monitorId });
  const boss = await createTestUser(platform, 'superAdmin');
  await setLegalHold(platform, viewerOf(platform, { role: 'superAdmin', userId: boss.id }), {
    subjectKind: 'account',
    subjectId: String(accountId),
    reason: 'court order 7',
    legalHold: true,
  });
  const supplier = await signedIn(platform, user);
  const asked = async (who: typeof supplier) => {
    const { data: accounts } = await call(app, 'GET', getResourceList.path, {}, { ...who });
    const [{ frozen, legalHold }] = accounts['list'] as [{ frozen: boolean; legalHold: boolean }];
    const home = (await call(app, 'GET', getHome.path, {}, { ...who })).data['accounts'] as {
      stuck: object[];
    };
    return { frozen, legalHold, stuck: home.stuck.length };
  };
  expect(await asked(supplier)).toEqual({ frozen: false, legalHold: false, stuck: 0 });
  expect(await asked(await signedIn(platform, boss))).toEqual({ frozen: true, legalHold: true, stuck: 1 });
  const turn = (enable: boolean) => {
    const input = { resourceId: String(accountId), productId: 1010, enable };
    return call(app, 'POST', enableResource.path, input, { ...supplier });
  };
  expect((await turn(false)).code).toBe(200);
  const refused = await turn(true);
  expect(refused.code).toBe(409);
  expect(JSON.stringify(refused)).not.toContain('frozen');
});
