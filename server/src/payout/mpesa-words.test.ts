import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveNow } from '../archive/run.ts';
import { b2cAddresses } from '../channels/mpesa/paths.ts';
import type { PayoutChannel } from '../channels/payout-channel.ts';
import { sql } from '../platform/db/database.ts';
import { makePartitions } from '../platform/db/partitions.ts';
import { isRefusal } from '../platform/refusal.ts';
import { brokenChecks } from '../testing/books.ts';
import { dispatchWaiting, payerWithoutLimits } from '../testing/gateway.ts';
import { growOld } from '../testing/grown-old.ts';
import { makeMpesaAccount } from '../testing/mpesa.ts';
import { giveFunds, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeSupplier, makeUser, viewerOf } from '../testing/world.ts';
import { readPayout } from './read.ts';
import { reject } from './reject.ts';

/** What M-Pesa reports of a payout that has ended. */

const MPESA_OUT = 2060;

let folder: string;
let world: TestPlatform;
let app: FastifyInstance;
let merchantId: bigint;
let accountId: bigint;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sangam-mpesa-'));
  world = await createTestPlatform({ archiveDir: folder });
  app = await world.app();
  const { platform } = world;
  await makeUser(platform, { role: 'admin' });
  ({ merchantId } = await makeMerchant(platform, { products: [MPESA_OUT] }));
  await giveFunds(platform, merchantId, 'KES', 10n ** 9n);
  const { supplierId } = await makeSupplier(platform, { products: [], deposit: 0n });
  accountId = await makeMpesaAccount(platform, {
    supplierId,
    shortCode: '600999',
    type: 'paybill',
    direction: 'out',
  });
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
  await rm(folder, { recursive: true });
});

const channel: PayoutChannel = {
  payers: () => Promise.resolve([payerWithoutLimits(accountId)]),
  send: (_payout, key) => Promise.resolve({ outcome: 'accepted', reference: `AG_${key}` }),
  check: () => Promise.resolve({ state: 'unknown' }),
};

let made = 0;
async function sent(): Promise<bigint> {
  const payee = { phone: `2547123456${(made += 1) + 10}` };
  const { id } = await payOut(world.platform, merchantId, { productId: MPESA_OUT, amount: 300_00n, payee });
  await dispatchWaiting(world.platform, new Map([[MPESA_OUT, channel]]));
  return id;
}
const statusOf = async (id: bigint) => (await readPayout(world.platform.db, id))?.status;
async function tell(id: bigint, Result: object): Promise<void> {
  const { result } = await b2cAddresses(world.platform, accountId, String(id));
  const answer = await app.inject({ method: 'POST', url: new URL(result).pathname, payload: { Result } });
  expect(answer.statusCode).toBe(200);
}
const paid = (TransactionID = `TKG${1_000_000 + (made += 1)}`) => ({ ResultCode: 0, TransactionID });
const FAILED = { ResultCode: 1, ResultDesc: 'The balance is insufficient' };
const told = async (id: bigint) =>
  (
    await world.platform.db.query<{ kind: string }>(sql`
      select distinct kind from inbox_messages where data->>'order' = ${String(id)} order by kind`)
  ).map(({ kind }) => kind);

test('the admins are notified once where M-Pesa calls a payout failed that it had called paid', async () => {
  const id = await sent();
  await tell(id, paid());
  expect(await statusOf(id)).toBe(3);
  await tell(id, FAILED);
  await tell(id, FAILED);
  expect(await statusOf(id)).toBe(3);
  expect(await told(id)).toEqual(['gatewaySaysFailed']);
  const events = await world.platform.db.query(
    sql`select 1 from order_events where order_id = ${id} and kind = 'contradicted'`,
  );
  expect(events).toHaveLength(1);
});

test('a result that comes again says nothing new', async () => {
  const id = await sent();
  const word = paid();
  await tell(id, word);
  await tell(id, word);
  expect(await told(id)).toEqual([]);
  const other = await sent();
  await tell(other, FAILED);
  await tell(other, FAILED);
  expect(await told(other)).toEqual([]);
});

test('the admins are notified of what M-Pesa reports of a payout in the archive', async () => {
  const { platform } = world;
  const [completed, refunded] = [await sent(), await sent()];
  await tell(completed, paid());
  await tell(refunded, FAILED);
  const refusal = { orderId: refunded, reason: 'not paid' };
  expect(isRefusal(await reject(platform, viewerOf(platform, { role: 'admin' }), refusal))).toBe(false);
  await growOld(world);
  await makePartitions({ db: world.owner, clock: world.clock });
  await archiveNow(platform);
  expect([await statusOf(completed), await statusOf(refunded)]).toEqual([undefined, undefined]);
  await tell(completed, FAILED);
  await tell(refunded, paid());
  expect(await told(completed)).toEqual(['archivedPayoutFailed']);
  expect(await told(refunded)).toEqual(['gatewaySaysPaid']);
});
