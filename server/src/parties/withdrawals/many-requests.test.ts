import { randomUUID } from 'node:crypto';
import * as contract from '@sangam/contract/endpoints/withdrawal.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askForBeneficiary } from './ask.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { makeMerchant, viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
});
afterAll(() => node.close());

test('thirty requests at once leave at most twenty beneficiaries to decide on', async () => {
  const { merchantId, userId } = await makeMerchant(node.platform);
  const merchant = viewerOf(node.platform, { role: 'merchant', merchantId, userId });
  const asks = Array.from({ length: 30 }, (_, index) =>
    askForBeneficiary(
      node.platform,
      merchant,
      contract.askForBeneficiary.input.parse({
        kind: 'bank',
        userName: 'Chaya Traders',
        bankName: 'HDFC Bank',
        cardNumber: String(50100998870000 + index),
        ifscCode: 'hdfc0000521',
        reason: 'Our own account',
        requestKey: randomUUID(),
      }),
    ),
  );
  const codes = (await Promise.all(asks)).map(({ code }) => code);
  expect(codes.filter((code) => code === 'approvalNeeded')).toHaveLength(20);
});
