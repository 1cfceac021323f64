import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { anyTronAddress, type SimulatedTron, startTronNode } from '@sangam/simulators/tron/node.ts';
import type { Fault } from '@sangam/simulators/tron/wallets.ts';
import { transfersSentLast } from '../accounts/payers.ts';
import { APPROVAL_HANDLERS } from '../app/approval-kinds.ts';
import { decide, withdraw } from '../approvals/decide.ts';
import { createSignerClient } from '../channels/usdt/signer-client.ts';
import { payoutChannels } from '../channels/payout-channels.ts';
import type { PayoutChannel, PayoutChannels } from '../channels/payout-channel.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { type Database, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import type { Viewer } from '../platform/viewer.ts';
import { createPrng } from '@sangam/simulators/prng.ts';
import { usdtWallets } from '../inbound/usdt-wallets.ts';
import { isRefusal } from '../platform/refusal.ts';
import { brokenChecks } from '../testing/books.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { type LossyProxy, startLossyProxy } from '../testing/lossy-proxy.ts';
import { giveFunds, makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { SEED, runsOf } from '../testing/seed.ts';
import { makeTestSigner, type TestSigner } from '../testing/signer.ts';
import { makeUsdtWallet } from '../testing/usdt.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { askAboutEnded, askGateways, expireSubmitted } from './ask-gateways.ts';
import { confirmPaid } from './confirm-paid.ts';
import { recoverSends } from './dispatch.ts';
import type { PayoutOrder } from './order.ts';
import { reject } from './reject.ts';
import { releasePayout } from './release.ts';
import { reselectPayout } from './reselect.ts';
import { readPayouts } from './store.ts';

const { waiting, completed, inProgress, processingError, submitted, toBeConfirmed } = PAYOUT_STATUS;
const PRODUCT = 2045;
const USDT = 1_000_000n;

let chain: SimulatedTron;
let signer: TestSigner;
let proxy: LossyProxy;
let world: TestPlatform;
let shop: PayoutShop;
let channels: PayoutChannels;
let wallet: bigint;

beforeAll(async () => {
  const clock = { now: () => world.clock.now() };
  chain = await startTronNode({
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    now: () => clock.now().getTime(),
  });
  // The signer uses the platform's clock, and the platform needs the signer's address.
  world = await createTestPlatform();
  signer = await makeTestSigner({ tronUrl: chain.url, clock });
  proxy = await startLossyProxy(signer.running.url);
  world.platform.config.tronUrl = chain.url;
  world.platform.config.signer = { url: proxy.url, secret: signer.config.secret };
  shop = await makePayoutShop(world.platform);
  await world.platform.db.query(
    sql`update user_products set max_amount = ${10n ** 13n} where product_id = ${PRODUCT}`,
  );
  await giveFunds(world.platform, shop.merchantId, 'USDT', 10n ** 13n);
  wallet = await makeUsdtWallet(world.platform, shop.supplierId, signer.address);
  chain.wallets.fund(signer.address, { usdt: 10n ** 12n, trx: 10n ** 12n });
});
beforeEach(() => {
  world.clock.advance(DAY);
  channels = payoutChannels(world.platform);
});
afterEach(() => {
  chain.wallets.faults.length = 0;
  chain.receipt = undefined;
  proxy.loss = 0;
});
afterAll(async () => {
  expect(await brokenChecks(world.platform)).toEqual([]);
  await proxy.close();
  await signer.close();
  await world.close();
  await chain.stop();
});

let count = 0;

async function order(amount = 25n * USDT): Promise<PayoutOrder & { readonly payeeAddress: string }> {
  count += 1;
  const made = await payOut(world.platform, shop.merchantId, {
    productId: PRODUCT,
    amount,
    payee: { address: anyTronAddress(`payee ${count}`) },
  });
  return { ...made, payeeAddress: made.payeeAddress! };
}
const read = async ({ id }: Pick<PayoutOrder, 'id'>) => (await readPayouts(world.platform.db, [id]))[0]!;
const statusOf = async (made: PayoutOrder) => (await read(made)).status;
const dispatch = () => dispatchWaiting(world.platform, channels);
const desk = () => viewerOf(world.platform, { role: 'admin' });
const paidTo = (address: string) => chain.wallets.taken.filter(({ to, failed }) => to === address && !failed);

async function ask(afterMs = 16 * SECOND): Promise<void> {
  world.clock.advance(afterMs);
  await askGateways(world.platform, channels);
}

test('a payout is sent, seen on the chain, and completed by a solid block alone', async () => {
  const made = await order();
  await dispatch();
  const sent = await read(made);
  expect(sent).toMatchObject({ status: submitted, accountId: wallet, attempt: 1 });
  await ask();
  expect(await statusOf(made)).toBe(inProgress);
  await ask(MINUTE);
  expect(await read(made)).toMatchObject({ status: completed, utr: sent.gatewayRef?.toUpperCase() });
  expect(paidTo(made.payeeAddress)).toEqual([
    expect.objectContaining({ txid: sent.gatewayRef, from: signer.address, value: 25n * USDT }),
  ]);
});

test.each(['answerLost', 'busy'] as const)(
  'a broadcast that ended in %s is made again with the same bytes',
  async (fault) => {
    const made = await order();
    chain.wallets.faults.push(fault);
    await dispatch();
    expect(await statusOf(made)).toBe(toBeConfirmed);
    await ask();
    await ask(2 * MINUTE);
    expect(await statusOf(made)).toBe(completed);
    expect(paidTo(made.payeeAddress)).toHaveLength(1);
    expect(new Set(chain.wallets.broadcasts.slice(-2)).size).toBe(1);
  },
);

test.each(['accounts', 'suppliers'] as const)(
  'what was signed before the wallet’s %s were frozen is broadcast by nobody until they are free',
  async (table) => {
    const made = await order();
    const [of, id] = table === 'accounts' ? [sql`accounts`, wallet] : [sql`suppliers`, shop.supplierId];
    const freeze = (frozen: boolean) =>
      world.platform.db.query(sql`update ${of} set frozen = ${frozen} where id = ${id}`);
    chain.wallets.faults.push('busy');
    await dispatch();
    await freeze(true);
    const before = chain.wallets.broadcasts.length;
    await ask();
    expect(chain.wallets.broadcasts).toHaveLength(before);
    await freeze(false);
    await ask();
    await ask(2 * MINUTE);
    expect(await statusOf(made)).toBe(completed);
    expect(paidTo(made.payeeAddress)).toHaveLength(1);
  },
);

test('a signature whose answer was lost is found by its key, and sent', async () => {
  const made = await order();
  await channels.get(PRODUCT)!.payers!();
  proxy.loss = 1;
  await dispatch();
  proxy.loss = 0;
  expect(await statusOf(made)).toBe(toBeConfirmed);
  await ask();
  await ask(2 * MINUTE);
  expect(await statusOf(made)).toBe(completed);
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
});

test('what no block took is to be confirmed at its end, and fails only once solid blocks prove it; then a person sends it anew', async () => {
  const made = await order();
  chain.wallets.faults.push('dropped');
  await dispatch();
  await ask();
  expect(await statusOf(made)).toBe(inProgress);
  await ask(2 * MINUTE);
  expect(await statusOf(made)).toBe(toBeConfirmed);
  // The desk can neither confirm nor reject a payout that the chain may still pay.
  expect(await reject(world.platform, desk(), { orderId: made.id, reason: 'no' })).toMatchObject({
    code: 'actionNotAllowed',
  });
  expect(await confirmPaid(world.platform, desk(), { orderId: made.id, utr: 'ab'.repeat(10) })).toMatchObject(
    {
      code: 'actionNotAllowed',
    },
  );
  await ask(28 * MINUTE);
  expect(await statusOf(made)).toBe(toBeConfirmed);
  await ask(4 * MINUTE);
  expect(await statusOf(made)).toBe(processingError);
  expect(await dispatch()).toBe(0);
  expect(isRefusal(await reselectPayout(world.platform, desk(), made.id))).toBe(false);
  await dispatch();
  await ask(2 * MINUTE);
  expect(await read(made)).toMatchObject({ status: completed, attempt: 2 });
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
});

/** A payout that was paid, and called failed: the node that keeps the receipts lags far behind the one that names blocks. */
async function wronglyDead() {
  const made = await order();
  await dispatch();
  chain.receipt = {};
  await ask(4 * MINUTE);
  // A node a quarter of an hour behind proves nothing.
  await ask(15 * MINUTE);
  expect(await statusOf(made)).toBe(toBeConfirmed);
  await ask(15 * MINUTE);
  expect(await statusOf(made)).toBe(processingError);
  await signer.running.signing.settle();
  return made;
}
const contradictions = async ({ id }: PayoutOrder) =>
  (
    await world.platform.db.query<{ data: unknown }>(
      sql`select data from order_events where order_id = ${id} and kind = 'contradicted' order by id`,
    )
  ).map(({ data }) => data);

test('a transfer that was taken for dead and refunded is asked about, and its payment is seen', async () => {
  const made = await wronglyDead();
  await reject(world.platform, desk(), { orderId: made.id, reason: 'dead' });
  chain.receipt = undefined;
  world.clock.advance(6 * HOUR);
  await askAboutEnded(world.platform, channels);
  expect(await contradictions(made)).toMatchObject([{ said: 'processed', attempt: 1 }]);
});

test('a transfer that was taken for dead is looked for again before another is signed', async () => {
  const made = await wronglyDead();
  chain.receipt = undefined;
  await reselectPayout(world.platform, desk(), made.id);
  await dispatch();
  await ask(2 * MINUTE);
  expect(await read(made)).toMatchObject({ status: completed, attempt: 2 });
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
  world.clock.advance(6 * HOUR);
  await askAboutEnded(world.platform, channels);
  expect(await contradictions(made)).toEqual([]);
});

test('a payout that was paid twice, because its first transfer was taken for dead, is reported', async () => {
  const made = await wronglyDead();
  await reselectPayout(world.platform, desk(), made.id);
  await dispatch();
  chain.receipt = undefined;
  await ask(2 * MINUTE);
  expect(await read(made)).toMatchObject({ status: completed, attempt: 2 });
  world.clock.advance(6 * HOUR);
  await askAboutEnded(world.platform, channels);
  const [first] = paidTo(made.payeeAddress);
  expect(await contradictions(made)).toEqual([{ said: 'processed', attempt: 1, utr: first!.txid }]);
});

test.each([
  // The answer of a TRON node that has an error.
  { Error: 'class java.lang.NullPointerException : null' },
  { id: '00', blockNumber: 1, blockTimeStamp: 1, receipt: {} },
])(
  'a node that cannot say what became of a transfer proves nothing: it is not sent anew (%j)',
  async (said) => {
    const made = await order();
    await dispatch();
    chain.receipt = said;
    await ask(10 * MINUTE);
    expect(await statusOf(made)).toBe(submitted);
    chain.receipt = undefined;
    await ask();
    expect(await statusOf(made)).toBe(completed);
    expect(paidTo(made.payeeAddress)).toHaveLength(1);
  },
);

test('what the signer has signed of another sum, for a platform that was restored since, is not called failed', async () => {
  const { id, payeeAddress: to } = await order();
  const client = createSignerClient(world.platform.config.signer!, world.clock);
  const earlier = { key: String(id), payout: String(id), from: signer.address, to, amount: '1000000' };
  expect(await client.ask('/sign', earlier)).toMatchObject({ state: 'signed' });
  await dispatch();
  expect(await read({ id })).toMatchObject({ status: toBeConfirmed });
  await ask();
  await ask(2 * MINUTE);
  expect(paidTo(to)).toMatchObject([{ value: USDT }]);
  expect(await read({ id })).toMatchObject({ status: toBeConfirmed });
});

test('a transaction that failed on the chain is a processing error with the chain’s reason', async () => {
  const made = await order();
  chain.wallets.faults.push('outOfEnergy');
  await dispatch();
  await ask(2 * MINUTE);
  expect(await statusOf(made)).toBe(processingError);
  expect(paidTo(made.payeeAddress)).toHaveLength(0);
});

test('while the signer does not answer or the wallet has too little, payouts wait untouched', async () => {
  const rich = await order(999_000n * USDT);
  expect(await dispatch()).toBe(1);
  // Above the limit: two people decide.
  expect(await statusOf(rich)).toBe(processingError);
  const poor = await order(1_000_001n * USDT);
  const made = await order();
  await signer.restart(async () => {
    world.clock.advance(10 * SECOND);
    expect(await dispatch()).toBe(0);
  });
  expect(await read(made)).toMatchObject({ status: waiting, attempt: 0 });
  expect(await read(poor)).toMatchObject({ status: waiting, attempt: 0 });
  world.clock.advance(10 * SECOND);
  expect(await dispatch()).toBe(1);
});

test('a payout above the day’s limit fails, and a person may send it again another day', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => order(900n * USDT)));
  await dispatch();
  const states = (
    await readPayouts(
      world.platform.db,
      made.map(({ id }) => id),
    )
  ).map(({ status }) => status);
  expect(states.toSorted((a, b) => a - b)).toEqual([submitted, submitted, submitted, processingError]);
  world.clock.advance(DAY);
  for (const { id } of made) await reselectPayout(world.platform, desk(), id);
  expect(await dispatch()).toBe(1);
  await ask(2 * MINUTE);
});

/** A payout that passes the signer's limits, and two admins who are releasers of the signer. */
async function toRelease() {
  const made = await order(2_000n * USDT);
  await dispatch();
  expect(await statusOf(made)).toBe(processingError);
  const [anita, bhaskar] = await Promise.all(
    ['anita', 'bhaskar'].map(async (name) => {
      const { id: userId } = await makeUser(world.platform, { role: 'admin' });
      return { ...viewerOf(world.platform, { role: 'admin', userId }), account: name };
    }),
  );
  /** Asks to release it; answers the request's id, or why there is none. */
  const request = async (
    viewer: Viewer,
    code = signer.codeOf(viewer.account),
  ): Promise<{ readonly id?: bigint; readonly refused?: string }> => {
    const answer = await releasePayout(world.platform, viewer, { orderId: made.id, code });
    const { todoId, reason } = (answer.data ?? {}) as { readonly todoId?: string; readonly reason?: string };
    return todoId === undefined ? { refused: reason ?? answer.code } : { id: BigInt(todoId) };
  };
  const approve = (viewer: Viewer, id: bigint | undefined, code?: string) =>
    decide(world.platform, APPROVAL_HANDLERS, viewer, { id: id!, approve: true, code });
  return { made, anita: anita!, bhaskar: bhaskar!, request, approve };
}

test('what passes a limit is sent once two people have shown the signer a code each, through a request and its approval', async () => {
  const { made, anita, bhaskar, request, approve } = await toRelease();
  expect(await request(anita, '000000')).toEqual({ refused: 'releaseCodeWrong' });
  const { id } = await request(anita);
  expect(await approve(bhaskar, id)).toMatchObject({ code: 'releaseCodeWrong' });
  expect(await approve(bhaskar, id, signer.codeOf('anita'))).toMatchObject({ code: 'releaseCodeWrong' });
  // Reselected without the second code, the payout is refused as before.
  await reselectPayout(world.platform, desk(), made.id);
  await dispatch();
  expect(await statusOf(made)).toBe(processingError);
  expect(await approve(bhaskar, id, signer.codeOf('bhaskar'))).toMatchObject({ status: 'approved' });
  expect(await statusOf(made)).toBe(waiting);
  await dispatch();
  await ask(2 * MINUTE);
  expect(await statusOf(made)).toBe(completed);
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
  expect((await usdtWallets(world.platform)).list).toEqual([
    expect.objectContaining({ state: 'ready', releasedToday: 2_000_000_000, usedToday: 0 }),
  ]);
});

test('a first code serves its own request alone: once that is taken back, the next releaser is a first again', async () => {
  const { made, anita, bhaskar, request, approve } = await toRelease();
  const { id } = await request(anita);
  // While it waits, it is decided: nobody passes it by with a request of their own.
  expect(await request(bhaskar)).toEqual({ refused: 'otherRequestWaits' });
  await withdraw(world.platform, anita, id!);
  world.clock.advance(MINUTE);
  const { id: another } = await request(bhaskar);
  await reselectPayout(world.platform, bhaskar, made.id);
  await dispatch();
  await ask(2 * MINUTE);
  expect(await statusOf(made)).toBe(processingError);
  expect(paidTo(made.payeeAddress)).toEqual([]);
  world.clock.advance(MINUTE);
  expect(await approve(anita, another, signer.codeOf('anita'))).toMatchObject({ status: 'approved' });
  await dispatch();
  await ask(2 * MINUTE);
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
});

test('the last transfers of a wallet are those sent last, however old their payouts are', async () => {
  const oldest = await order(USDT);
  chain.wallets.faults.push('outOfEnergy');
  await dispatch();
  await ask(2 * MINUTE);
  for (let n = 0; n < 20; n += 1) await order(USDT);
  while ((await dispatch()) > 0);
  world.clock.advance(MINUTE);
  await reselectPayout(world.platform, desk(), oldest.id);
  await dispatch();
  const { gatewayRef } = await read(oldest);
  expect((await transfersSentLast(world.platform.db, wallet))[0]).toBe(gatewayRef);
  await ask(2 * MINUTE);
});

const RUNS = runsOf(60);

test(`${RUNS} payouts between nodes that die, a signer that restarts and a chain that forgets: each paid once (seed ${SEED})`, async () => {
  const random = createPrng(SEED);
  const nodes = [world.platform, world.anotherNode()];
  const made: (PayoutOrder & { readonly payeeAddress: string })[] = [];
  const faults: readonly Fault[] = ['answerLost', 'busy', 'dropped', 'outOfEnergy'];

  /** Sends waiting payouts. The node may die before the signer is asked, before the broadcast, or before it writes down the answer. */
  async function send(node: Platform, diesAt: 'never' | 'before' | 'between' | 'after'): Promise<void> {
    let dead = false;
    const db: Database = {
      ...node.db,
      tx: (work) => (dead ? Promise.reject(new Error('killed')) : node.db.tx(work)),
    };
    const mortal: Platform = { ...node, db };
    const tronUrl = diesAt === 'between' ? 'http://127.0.0.1:9' : node.config.tronUrl;
    const channel = payoutChannels(mortal).get(PRODUCT)!;
    const broken = payoutChannels({ ...mortal, config: { ...node.config, tronUrl } }).get(PRODUCT)!;
    const dying: PayoutChannel = {
      ...channel,
      async send(payout, key) {
        const answer =
          diesAt === 'before' ? undefined : await broken.send(payout, key).catch(() => undefined);
        dead = diesAt !== 'never';
        return answer ?? { outcome: 'unknown', reason: 'the node died' };
      },
    };
    await dispatchWaiting(mortal, new Map([[PRODUCT, dying]])).catch((error: Error) => {
      if (error.message !== 'killed') throw error;
    });
  }

  async function tend(): Promise<void> {
    const node = random.pick(nodes);
    for (const sweep of [recoverSends, expireSubmitted]) while ((await sweep(node)) > 0);
    while ((await askGateways(node, payoutChannels(node))) > 0);
  }

  async function reselectAll(): Promise<void> {
    const now = await readPayouts(
      world.platform.db,
      made.map(({ id }) => id),
    );
    for (const { id, status } of now)
      if (status === processingError) await reselectPayout(world.platform, desk(), id);
  }

  while (made.length < RUNS) {
    for (let n = 0; n < 4; n += 1) made.push(await order(BigInt(random.int(1, 40)) * USDT));
    if (random.chance(0.6)) chain.wallets.faults.push(random.pick(faults));
    proxy.loss = random.chance(0.3) ? 0.5 : 0;
    const diesAt = random.pick(['never', 'before', 'between', 'after'] as const);
    await Promise.all([send(nodes[0]!, diesAt), send(nodes[1]!, 'never')]);
    if (random.chance(0.2)) await signer.restart();
    proxy.loss = 0;
    world.clock.advance(random.pick([20 * SECOND, MINUTE, 3 * MINUTE]));
    await tend();
    if (random.chance(0.5)) await reselectAll();
    await signer.running.signing.settle();
  }
  chain.wallets.faults.length = 0;
  for (let round = 0; round < 4; round += 1) {
    world.clock.advance(DAY);
    await Promise.all(nodes.map((node) => dispatchWaiting(node, payoutChannels(node))));
    for (const afterMs of [3 * MINUTE, 33 * MINUTE, MINUTE]) {
      world.clock.advance(afterMs);
      await tend();
    }
    await reselectAll();
  }
  for (const { id, payeeAddress, amount } of made) {
    const now = await read({ id });
    expect(paidTo(payeeAddress), `payout ${id} in ${now.status}`).toEqual([
      expect.objectContaining({ value: amount, txid: now.utr?.toLowerCase() }),
    ]);
    expect(now.status).toBe(completed);
  }
}, 600_000);

test.each([undefined, 'answerLost'] as const)(
  'a signer on an older copy of its file signs nothing, and a sent payout is not called failed (%s)',
  async (fault) => {
    const copy = join(dirname(signer.config.file), 'older.db');
    await signer.restart(() => copyFile(signer.config.file, copy));
    const made = await order();
    if (fault) chain.wallets.faults.push(fault);
    await dispatch();
    // Where the answer to the broadcast was lost, the next question finds the transfer.
    if (fault) await ask();
    const newer = `${copy}.newer`;
    await signer.restart(async () => {
      await copyFile(signer.config.file, newer);
      await copyFile(copy, signer.config.file);
    });
    await ask();
    expect(await statusOf(made)).toBe(toBeConfirmed);
    const next = await order();
    await dispatch();
    expect(await statusOf(next)).toBe(waiting);
    expect(paidTo(next.payeeAddress)).toEqual([]);
    await signer.restart(() => copyFile(newer, signer.config.file));
    await ask(6 * MINUTE);
    await dispatch();
    await ask(2 * MINUTE);
    expect(await statusOf(made)).toBe(completed);
    expect(paidTo(made.payeeAddress)).toHaveLength(1);
    expect(paidTo(next.payeeAddress)).toHaveLength(1);
  },
);
