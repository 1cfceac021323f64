import { getResourceList } from '@sangam/contract/endpoints/party.ts';
import { expect, test } from 'vitest';
import { type DarajaAccess, createDaraja } from '../channels/mpesa/daraja.ts';
import { MINUTE } from '../platform/clock.ts';
import { ask } from '../testing/ask.ts';
import { makeMpesaAccount } from '../testing/mpesa.ts';
import { createTestPlatform } from '../testing/platform.ts';
import { makeSupplier, viewerOf } from '../testing/world.ts';
import { watchMpesa } from './mpesa-watch.ts';

test('where nobody has said who may call, M-Pesa is not asked to report another account; those it reports go on', async () => {
  const node = await createTestPlatform();
  const { platform, clock } = node;
  const registered: string[] = [];
  const daraja = {
    ...createDaraja({ url: 'http://127.0.0.1:1', clock }),
    registerUrls: async ({ shortCode }: DarajaAccess) => void registered.push(shortCode),
  };
  const { supplierId } = await makeSupplier(platform);
  const add = (shortCode: string) =>
    makeMpesaAccount(platform, { supplierId, shortCode, type: 'paybill', direction: 'in' });
  const problems = async (mpesaAddresses: readonly string[] | undefined) => {
    clock.advance(MINUTE);
    await watchMpesa({ ...platform, config: { ...platform.config, mpesaAddresses } }, daraja);
    const { list } = await ask(platform, viewerOf(platform, { role: 'superAdmin' }), getResourceList);
    return list.map(({ watchProblem }) => watchProblem).toReversed();
  };
  await add('522533');
  expect(await problems([])).toEqual([null]);
  await add('522544');
  expect(await problems(undefined)).toEqual([null, expect.stringContaining('MPESA_ADDRESSES')]);
  const owner = viewerOf(platform, { role: 'supplier', supplierId });
  expect((await ask(platform, owner, getResourceList)).list.map(({ watchProblem }) => watchProblem)).toEqual([
    null,
    null,
  ]);
  expect(registered).toEqual(['522533']);
  expect(await problems(['203.0.113.0/24'])).toEqual([null, null]);
  expect(registered).toEqual(['522533', '522544']);
  await node.close();
});
