import { isRoleList } from '@sangam/contract/endpoint.ts';
import { ENDPOINTS } from '@sangam/contract/endpoints/index.ts';
import { PARTY_ROLES, holdersOf } from '@sangam/contract/party-roles.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../testing/call.ts';
import { createTestMember, createTestMerchant, createTestSupplier, signedIn } from '../testing/people.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';

let node: TestPlatform;
let app: FastifyInstance;
let merchantId: bigint;
let supplierId: bigint;

beforeAll(async () => {
  node = await createTestPlatform();
  app = await node.app();
  merchantId = (await createTestMerchant(node.platform)).id;
  supplierId = (await createTestSupplier(node.platform)).id;
});
afterAll(() => node.close());

const withDuty = ENDPOINTS.filter(({ duty }) => duty !== undefined);

describe.each(withDuty)('$method $path', ({ method, path, access, duty }) => {
  test.each(PARTY_ROLES)('%s', async (partyRole) => {
    for (const party of [{ merchantId }, { supplierId }]) {
      const role = 'merchantId' in party ? 'merchant' : 'supplier';
      if (!isRoleList(access) || !access.includes(role)) continue;
      const user = await createTestMember(node.platform, party, partyRole);
      const headers = await signedIn(node.platform, user);
      const answer = await call(app, method, path.replace(/:\w+/g, '1'), {}, { ...headers });
      if (holdersOf(duty!).includes(partyRole)) expect([403, 500, 1003]).not.toContain(answer.code);
      else expect(answer).toMatchObject({ status: 403, code: 403, data: { reason: 'partyRole' } });
    }
  });
});
