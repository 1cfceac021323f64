import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOrders } from '../collection/create.ts';
import { login } from '../access/login.ts';
import { createTestPlatform, type TestPlatform } from './platform.ts';
import { makeAccount, makeMerchant, makeMonitor, makeSupplier, makeUser } from './world.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

test('what the builders make works at once: an order finds the account', async () => {
  const { platform } = node;
  const { merchantId } = await makeMerchant(platform);
  const agent = await makeSupplier(platform);
  const { supplierId } = await makeSupplier(platform, { agentId: agent.supplierId });
  const { monitorId } = await makeMonitor(platform, { supplierId });
  const { accountId } = await makeAccount(platform, { supplierId, monitorId });
  const [order] = await createOrders(platform, [
    {
      merchantId,
      mchOrderNo: 'a1',
      productId: 1010,
      amount: 500_00n,
      notifyUrl: 'http://127.0.0.1:1/notify',
      returnUrl: null,
      subject: null,
      body: null,
      clientIp: null,
      userName: null,
      param1: null,
      param2: null,
      callerIp: null,
    },
  ]);
  expect(order).toMatchObject({ status: COLLECTION_STATUS.allocated, accountId, supplierId });
});

test('a user signs in by password alone, unless it is given an authenticator', async () => {
  const { platform } = node;
  const caller = {
    ip: '127.0.0.1',
    userAgent: 'test',
    locale: 'en-US',
    isBrowser: false,
    setSessionCookie: () => undefined,
  } as const;
  const { account } = await makeUser(platform, { role: 'admin', password: 'a good pass 1' });
  expect(await login(platform, { userName: account, password: 'a good pass 1' }, caller)).toMatchObject({
    stage: 'full',
  });
  const bound = await makeUser(platform, {
    role: 'admin',
    password: 'a good pass 1',
    googleSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  });
  expect(await login(platform, { userName: bound.account, password: 'a good pass 1' }, caller)).toMatchObject(
    { code: 'wrongGoogleCode' },
  );
});
