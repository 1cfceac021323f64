import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { KoshPay } from '@sangam/simulators/gateway/kosh-pay.ts';
import { Agent, buildConnector, getGlobalDispatcher, request, setGlobalDispatcher } from 'undici';
import type { GatewayAccess } from '../accounts/paying-gateway.ts';
import { createCashfree } from '../channels/gateway/cashfree.ts';
import { gatewayChannel } from '../channels/gateway/gateway-channel.ts';
import { createRazorpayX } from '../channels/gateway/razorpayx.ts';
import { mpesaPayouts } from '../channels/mpesa/b2c.ts';
import { createDaraja } from '../channels/mpesa/daraja.ts';
import type { GatewayPayout } from '../channels/payout-channel.ts';
import type { TronNode } from '../channels/usdt/tron-node.ts';
import { usdtPayouts } from '../channels/usdt/payouts.ts';
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

/** Connections of the HTTP client that are opened only when the test lets them. Requests wait in the client until then. */
function heldConnections() {
  const connect = buildConnector({});
  const waiting: (() => void)[] = [];
  let isHeld = false;
  const agent = new Agent({
    connect(options, done) {
      const open = () => connect(options, done);
      if (isHeld) waiting.push(open);
      else open();
    },
  });
  return {
    agent,
    waiting,
    hold() {
      isHeld = true;
    },
    release() {
      isHeld = false;
      for (const open of waiting) open();
    },
  };
}

test.each(['razorpayx', 'cashfree', 'mpesa'] as const)(
  'a send by %s that was given up while it waited for a connection does not go out afterwards',
  async (provider) => {
    const held = heldConnections();
    const before = getGlobalDispatcher();
    setGlobalDispatcher(held.agent);
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url?.split('?')[0]}`);
      // The next request needs a connection of its own.
      response.setHeader('connection', 'close');
      response.end(JSON.stringify({ access_token: 'token', expires_in: '3600' }));
      if (request.url?.startsWith('/oauth')) held.hold();
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const giveUp = new AbortController();
    try {
      if (provider !== 'mpesa') held.hold();
      const sending = sendBy(provider, url, giveUp.signal);
      await expect.poll(() => held.waiting.length, PATIENT).toBe(1);
      giveUp.abort();
      held.release();
      await expect(sending).rejects.toThrow('aborted');
      await request(`${url}/next`);
      expect(asked).toEqual([...(provider === 'mpesa' ? ['GET /oauth/v1/generate'] : []), 'GET /next']);
    } finally {
      setGlobalDispatcher(before);
      await held.agent.destroy();
      server.close();
    }
  },
);

function sendBy(provider: 'razorpayx' | 'cashfree' | 'mpesa', url: string, givenUp: AbortSignal) {
  const to = { name: 'Asha Rao', account: '50100123456789', ifsc: 'HDFC0000521', vpa: null };
  const sent: GatewayPayout = {
    orderCode: '1',
    accountId: 1n,
    currency: provider === 'mpesa' ? 'KES' : 'INR',
    amount: 100_00n,
    payeeName: to.name,
    payeeAccount: to.account,
    payeeIfsc: to.ifsc,
    payeeVpa: to.vpa,
    payeePhone: '254712345670',
    payeeAddress: null,
  };
  const keys = { keyId: 'key', keySecret: 'secret' };
  const payers = () => Promise.resolve([]);
  const channel =
    provider === 'mpesa'
      ? mpesaPayouts({
          daraja: createDaraja({ url, clock: world.clock }),
          payers,
          accessOf: () => Promise.resolve({ ...keys, shortCode: '600100', type: 'paybill' }),
          urlsOf: () => Promise.resolve({ result: url, timeout: url, status: url }),
          resultOf: () => Promise.resolve(undefined),
        })
      : gatewayChannel({
          gateways: { razorpayx: createRazorpayX({ url }), cashfree: createCashfree({ url }) },
          payers,
          script: {
            send: () => Promise.reject(new Error('no script')),
            check: () => Promise.reject(new Error('no script')),
          },
          accessOf: () =>
            Promise.resolve({ ...keys, provider, accountNumber: '1', webhookSecret: 'w' } as GatewayAccess),
        });
  return channel.send(sent, '1', givenUp);
}

test('a USDT transfer that was signed after its send was given up is left to the question about it', async () => {
  const giveUp = new AbortController();
  const transfer = {
    state: 'signed',
    key: '1',
    txid: 'a',
    hex: 'b',
    from: 'c',
    to: 'd',
    amount: '1',
    expiration: 1,
  };
  const broadcasts: string[] = [];
  const channel = usdtPayouts({
    signer: {
      ask: () => {
        giveUp.abort();
        return Promise.resolve(transfer as never);
      },
    },
    node: {
      broadcast: (hex: string) => {
        broadcasts.push(hex);
        return Promise.resolve({ taken: true, code: 'SUCCESS' });
      },
    } as unknown as TronNode,
    clock: world.clock,
    wallets: () => Promise.resolve([]),
    addressOf: () => Promise.resolve('c'),
    sentLast: () => Promise.resolve([]),
  });
  const sent = { orderCode: '1', accountId: 1n, amount: 1n, payeeAddress: 'd' } as GatewayPayout;
  await expect(channel.send(sent, '1', giveUp.signal)).rejects.toThrow('aborted');
  expect(broadcasts).toEqual([]);
});
