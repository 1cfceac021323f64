import { expect, test } from 'vitest';
import { type DarajaAccess, createDaraja } from '../channels/mpesa/daraja.ts';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import { makeMpesaAccount } from '../testing/mpesa.ts';
import { createTestPlatform } from '../testing/platform.ts';
import { makeSupplier } from '../testing/world.ts';
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
    const rows = await platform.db.query<{ problem: string | null }>(
      sql`select problem from rail_watches order by account_id`,
    );
    return rows.map(({ problem }) => problem);
  };
  await add('522533');
  expect(await problems([])).toEqual([null]);
  await add('522544');
  expect(await problems(undefined)).toEqual([null, expect.stringContaining('MPESA_ADDRESSES')]);
  expect(registered).toEqual(['522533']);
  expect(await problems(['203.0.113.0/24'])).toEqual([null, null]);
  expect(registered).toEqual(['522533', '522544']);
  await node.close();
});
