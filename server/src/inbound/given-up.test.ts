import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { KoshPay } from '@sangam/simulators/gateway/kosh-pay.ts';
import { createDaraja } from '../channels/mpesa/daraja.ts';
import { payoutChannels } from '../channels/payout-channels.ts';
import { runScript } from '../channels/scripts/sandbox/sandbox.ts';
import type { FetchAnswer } from '../channels/scripts/sandbox/wire.ts';
import { openHostedPage } from '../collection/hosted-page.ts';
import { readOrder } from '../collection/read.ts';
import { createDispatcher } from '../payout/dispatch.ts';
import { MINUTE } from '../platform/clock.ts';
import { readPayouts } from '../payout/store.ts';
import { sql } from '../platform/db/database.ts';
import { brokenChecks } from '../testing/books.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { exampleScript, makeScript, makeScriptAccount, openKosh } from '../testing/pay-script.ts';
import { createOne } from '../testing/payments.ts';
import { giveFunds, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeMerchant, makeSupplier } from '../testing/world.ts';
import { watchHosted } from './hosted-watch.ts';

/** Calls wait for one of eight threads, or for a token. What nobody waits for any more has no effect when its turn comes. */

const [HOSTED, PAYOUT] = [1030, 2010];
const THREADS = 8;
/** Threads start slowly on a loaded machine. */
const PATIENT = { timeout: 9_000 };

let world: TestPlatform;
let kosh: KoshPay;
let merchantId: bigint;
let paying: bigint;
beforeAll(async () => {
  kosh = await openKosh();
  world = await createTestPlatform();
  const { platform } = world;
  ({ merchantId } = await makeMerchant(platform, { products: [HOSTED, PAYOUT] }));
  await giveFunds(platform, merchantId, 'INR', 1_000_000_00n);
  const { supplierId } = await makeSupplier(platform, { products: [HOSTED] });
  const { id: scriptId } = await makeScript(platform, await exampleScript(kosh.url), [kosh.url]);
  await makeScriptAccount(platform, { supplierId, scriptId, direction: 'in' });
  paying = await makeScriptAccount(platform, { supplierId, scriptId, direction: 'out' });
  await watchHosted(platform);
});
beforeEach(() => {
  kosh.mood = 'well';
});
afterAll(async () => {
  await kosh.stop();
  expect(await brokenChecks(world.platform)).toEqual([]);
  await world.close();
});

/** Runs a slow script in every thread. Answers the function that lets them end. */
async function keepThreadsBusy(): Promise<() => Promise<unknown>> {
  const answers: (() => void)[] = [];
  const running = Array.from({ length: THREADS }, (_, account) =>
    runScript({
      of: `account ${account}`,
      code: "async function query() { await fetch('slow'); return 1; }",
      call: 'query',
      args: [{}, {}],
      fetch: () => new Promise((resolve) => answers.push(() => resolve({ error: 'none' }))),
    }),
  );
  await expect.poll(() => answers.length, PATIENT).toBe(THREADS);
  return () => {
    for (const answer of answers) answer();
    return Promise.all(running);
  };
}
const callsOf = (id: bigint) =>
  world.platform.db.query(sql`select from pay_script_calls where order_id = ${id}`);

test('a payout whose send was given up while it waited for a thread is not sent afterwards', async () => {
  const { platform } = world;
  const free = await keepThreadsBusy();
  const { id } = await payOut(platform, merchantId, { productId: PAYOUT });
  const dispatcher = createDispatcher(platform, payoutChannels(platform), 200);
  expect(await dispatcher.round()).toBe(1);
  await dispatcher.settled();
  expect((await readPayouts(platform.db, [id]))[0]!.status).toBe(7);
  await free();
  await expect.poll(async () => (await callsOf(id)).length, PATIENT).toBe(1);
  expect(kosh.transfers.has(String(id))).toBe(false);
});

test('a payout whose script finds no free thread waits, and is not refused', async () => {
  const { platform } = world;
  let answer = (_: FetchAnswer): void => {};
  const late = new Promise<FetchAnswer>((resolve) => (answer = resolve));
  const code = 'async function query() { return fetch("x"); }';
  const call = { of: String(paying), code, call: 'query', args: [], fetch: () => late } as const;
  const stalled = Array.from({ length: 67 }, () => runScript(call, MINUTE));
  const { id } = await payOut(platform, merchantId, { productId: PAYOUT });
  await dispatchWaiting(platform, payoutChannels(platform));
  const status = async () => (await readPayouts(platform.db, [id]))[0]!.status;
  expect(await status()).toBe(0);
  answer({ error: 'late' });
  await Promise.all(stalled);
  world.clock.advance(5 * MINUTE);
  await watchHosted(platform);
  await dispatchWaiting(platform, payoutChannels(platform));
  expect(await status()).toBe(8);
});

test('a refusal that comes once another node has the page does not take the order back', async () => {
  const { platform } = world;
  const { id } = await createOne(platform, merchantId, { productId: HOSTED });
  const order = (await readOrder(platform.db, id))!;
  const free = await keepThreadsBusy();
  const opening = openHostedPage(platform, order);
  await expect
    .poll(() => platform.db.query(sql`select from hosted_pages where order_id = ${id}`), PATIENT)
    .toHaveLength(1);
  // Its time is over, and another node has asked.
  await platform.db.query(
    sql`update hosted_pages set state = 'open', pay_url = 'https://kosh.test/9' where order_id = ${id}`,
  );
  // The gateway knows the order's number already.
  kosh.mood = 'refuses';
  await free();
  expect(await opening).toEqual({ url: 'https://kosh.test/9' });
  expect((await readOrder(platform.db, id))!.status).toBe(1);
});

test('M-Pesa is not asked to pay once the send was given up while its token was awaited', async () => {
  const giveUp = new AbortController();
  const asked: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url?.split('?')[0]);
    giveUp.abort();
    response.end(JSON.stringify({ access_token: 'token', expires_in: '3600' }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const access = { shortCode: '600100', type: 'paybill', keyId: 'key', keySecret: 'secret' } as const;
  const urls = { resultUrl: `${url}/result`, timeoutUrl: `${url}/timeout` };
  const wanted = { key: '1', phone: '254712345670', amount: 100_00n, ...urls, givenUp: giveUp.signal };
  await expect(createDaraja({ url, clock: world.clock }).pay(access, wanted)).rejects.toThrow('aborted');
  expect(asked).toEqual(['/oauth/v1/generate']);
  server.closeAllConnections();
  server.close();
});
