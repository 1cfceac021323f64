import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { expect, test } from 'vitest';
import type { Fault } from '@sangam/simulators/tron/wallets.ts';
import { payoutChannels } from '../channels/payout-channels.ts';
import type { PayoutChannel } from '../channels/payout-channel.ts';
import { DAY, MINUTE, SECOND } from '../platform/clock.ts';
import { type Database, sql } from '../platform/db/database.ts';
import type { Platform } from '../platform/platform.ts';
import { createPrng } from '@sangam/simulators/prng.ts';
import { isRefusal } from '../platform/refusal.ts';
import { dispatchWaiting } from '../testing/gateway.ts';
import { SEED, runsOf } from '../testing/seed.ts';
import { askGateways, expireSubmitted } from './ask-gateways.ts';
import { confirmPaid } from './confirm-paid.ts';
import { recoverSends } from './dispatch.ts';
import { reject } from './reject.ts';
import { reselectPayout } from './reselect.ts';
import { readPayouts } from './store.ts';
import { PRODUCT, USDT, type UsdtPayout, usdtWorld } from '../testing/usdt-world.ts';

const { waiting, completed, inProgress, processingError, submitted, toBeConfirmed } = PAYOUT_STATUS;
const usdt = usdtWorld();
const { order, read, statusOf, dispatch, desk, paidTo, ask } = usdt;

test('a payout is sent, seen on the chain, and completed by a solid block alone', async () => {
  const made = await order();
  await dispatch();
  const sent = await read(made);
  expect(sent).toMatchObject({ status: submitted, accountId: usdt.wallet, attempt: 1 });
  await ask();
  expect(await statusOf(made)).toBe(inProgress);
  await ask(MINUTE);
  expect(await read(made)).toMatchObject({ status: completed, utr: sent.gatewayRef?.toUpperCase() });
  expect(paidTo(made.payeeAddress)).toEqual([
    expect.objectContaining({ txid: sent.gatewayRef, from: usdt.signer.address, value: 25n * USDT }),
  ]);
});

test.each(['answerLost', 'busy'] as const)(
  'a broadcast that ended in %s is made again with the same bytes',
  async (fault) => {
    const made = await order();
    usdt.chain.wallets.faults.push(fault);
    await dispatch();
    expect(await statusOf(made)).toBe(toBeConfirmed);
    await ask();
    await ask(2 * MINUTE);
    expect(await statusOf(made)).toBe(completed);
    expect(paidTo(made.payeeAddress)).toHaveLength(1);
    expect(new Set(usdt.chain.wallets.broadcasts.slice(-2)).size).toBe(1);
  },
);

test('a transfer is noted whatever the node answers to its broadcast: by the send, and by the question', async () => {
  const refOf = async (made: UsdtPayout) => (await read(made)).gatewayRef;
  const sent = [await order(), await order()];
  usdt.chain.wallets.faults.push('busy', 'answerLost');
  await usdt.channels.get(PRODUCT)!.payers!();
  await dispatch();
  for (const each of sent) expect(await refOf(each)).not.toBeNull();
  const unsent = await order();
  usdt.proxy.loss = 1;
  usdt.world.clock.advance(SECOND);
  await dispatch();
  usdt.proxy.loss = 0;
  expect(await read(unsent)).toMatchObject({ status: toBeConfirmed, gatewayRef: null });
  usdt.chain.wallets.faults.push('answerLost', 'answerLost', 'answerLost');
  await ask();
  expect(await refOf(unsent)).not.toBeNull();
  usdt.chain.wallets.faults.length = 0;
  await ask(2 * MINUTE);
  expect(await statusOf(unsent)).toBe(completed);
});

test.each(['accounts', 'suppliers'] as const)(
  'what was signed before the wallet’s %s were frozen is broadcast by nobody until they are free',
  async (table) => {
    const made = await order();
    const [of, id] =
      table === 'accounts' ? [sql`accounts`, usdt.wallet] : [sql`suppliers`, usdt.shop.supplierId];
    const freeze = (frozen: boolean) =>
      usdt.world.platform.db.query(sql`update ${of} set frozen = ${frozen} where id = ${id}`);
    usdt.chain.wallets.faults.push('busy');
    await dispatch();
    await freeze(true);
    const before = usdt.chain.wallets.broadcasts.length;
    await ask();
    expect(usdt.chain.wallets.broadcasts).toHaveLength(before);
    await freeze(false);
    await ask();
    await ask(2 * MINUTE);
    expect(await statusOf(made)).toBe(completed);
    expect(paidTo(made.payeeAddress)).toHaveLength(1);
  },
);

test('a signature whose answer was lost is found by its key, and sent', async () => {
  const made = await order();
  await usdt.channels.get(PRODUCT)!.payers!();
  usdt.proxy.loss = 1;
  await dispatch();
  usdt.proxy.loss = 0;
  expect(await statusOf(made)).toBe(toBeConfirmed);
  await ask();
  await ask(2 * MINUTE);
  expect(await statusOf(made)).toBe(completed);
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
});

test('what no block took is to be confirmed at its end, and fails only once solid blocks prove it; then a person sends it anew', async () => {
  const made = await order();
  usdt.chain.wallets.faults.push('dropped');
  await dispatch();
  await ask();
  expect(await statusOf(made)).toBe(inProgress);
  await ask(2 * MINUTE);
  expect(await statusOf(made)).toBe(toBeConfirmed);
  // The desk can neither confirm nor reject a payout that the chain may still pay.
  expect(await reject(usdt.world.platform, desk(), { orderId: made.id, reason: 'no' })).toMatchObject({
    code: 'actionNotAllowed',
  });
  expect(
    await confirmPaid(usdt.world.platform, desk(), { orderId: made.id, utr: 'ab'.repeat(10) }),
  ).toMatchObject({
    code: 'actionNotAllowed',
  });
  await ask(28 * MINUTE);
  expect(await statusOf(made)).toBe(toBeConfirmed);
  await ask(4 * MINUTE);
  expect(await statusOf(made)).toBe(processingError);
  expect(await dispatch()).toBe(0);
  expect(isRefusal(await reselectPayout(usdt.world.platform, desk(), made.id))).toBe(false);
  await dispatch();
  await ask(2 * MINUTE);
  expect(await read(made)).toMatchObject({ status: completed, attempt: 2 });
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
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
    usdt.chain.receipt = said;
    await ask(10 * MINUTE);
    expect(await statusOf(made)).toBe(submitted);
    usdt.chain.receipt = undefined;
    await ask();
    expect(await statusOf(made)).toBe(completed);
    expect(paidTo(made.payeeAddress)).toHaveLength(1);
  },
);

test('a transaction that failed on the chain is a processing error with the chain’s reason', async () => {
  const made = await order();
  usdt.chain.wallets.faults.push('outOfEnergy');
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
  await usdt.signer.restart(async () => {
    usdt.world.clock.advance(10 * SECOND);
    expect(await dispatch()).toBe(0);
  });
  expect(await read(made)).toMatchObject({ status: waiting, attempt: 0 });
  expect(await read(poor)).toMatchObject({ status: waiting, attempt: 0 });
  usdt.world.clock.advance(10 * SECOND);
  expect(await dispatch()).toBe(1);
});

test('a payout above the day’s limit fails, and a person may send it again another day', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => order(900n * USDT)));
  await dispatch();
  const states = (
    await readPayouts(
      usdt.world.platform.db,
      made.map(({ id }) => id),
    )
  ).map(({ status }) => status);
  expect(states.toSorted((a, b) => a - b)).toEqual([submitted, submitted, submitted, processingError]);
  usdt.world.clock.advance(DAY);
  for (const { id } of made) await reselectPayout(usdt.world.platform, desk(), id);
  expect(await dispatch()).toBe(1);
  await ask(2 * MINUTE);
});

const RUNS = runsOf(60);

test(`${RUNS} payouts between nodes that die, a signer that restarts and a chain that forgets: each paid once (seed ${SEED})`, async () => {
  const random = createPrng(SEED);
  // The clock of one is off.
  const nodes = [usdt.world.platform, usdt.world.anotherNode(30 * SECOND)];
  const made: UsdtPayout[] = [];
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
      usdt.world.platform.db,
      made.map(({ id }) => id),
    );
    for (const { id, status } of now)
      if (status === processingError) await reselectPayout(usdt.world.platform, desk(), id);
  }

  while (made.length < RUNS) {
    for (let n = 0; n < 4; n += 1) made.push(await order(BigInt(random.int(1, 40)) * USDT));
    if (random.chance(0.6)) usdt.chain.wallets.faults.push(random.pick(faults));
    usdt.proxy.loss = random.chance(0.3) ? 0.5 : 0;
    const diesAt = random.pick(['never', 'before', 'between', 'after'] as const);
    await Promise.all([send(nodes[0]!, diesAt), send(nodes[1]!, 'never')]);
    if (random.chance(0.2)) await usdt.signer.restart();
    usdt.proxy.loss = 0;
    usdt.world.clock.advance(random.pick([20 * SECOND, MINUTE, 3 * MINUTE]));
    await tend();
    if (random.chance(0.5)) await reselectAll();
    await usdt.signer.running.signing.settle();
  }
  usdt.chain.wallets.faults.length = 0;
  for (let round = 0; round < 4; round += 1) {
    usdt.world.clock.advance(DAY);
    await Promise.all(nodes.map((node) => dispatchWaiting(node, payoutChannels(node))));
    for (const afterMs of [3 * MINUTE, 33 * MINUTE, MINUTE]) {
      usdt.world.clock.advance(afterMs);
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
    const copy = join(dirname(usdt.signer.config.file), 'older.db');
    await usdt.signer.restart(() => copyFile(usdt.signer.config.file, copy));
    const made = await order();
    if (fault) usdt.chain.wallets.faults.push(fault);
    await dispatch();
    // Where the answer to the broadcast was lost, the next question finds the transfer.
    if (fault) await ask();
    const newer = `${copy}.newer`;
    await usdt.signer.restart(async () => {
      await copyFile(usdt.signer.config.file, newer);
      await copyFile(copy, usdt.signer.config.file);
    });
    await ask();
    expect(await statusOf(made)).toBe(toBeConfirmed);
    const next = await order();
    await dispatch();
    expect(await statusOf(next)).toBe(waiting);
    expect(paidTo(next.payeeAddress)).toEqual([]);
    await usdt.signer.restart(() => copyFile(newer, usdt.signer.config.file));
    await ask(6 * MINUTE);
    await dispatch();
    await ask(2 * MINUTE);
    expect(await statusOf(made)).toBe(completed);
    expect(paidTo(made.payeeAddress)).toHaveLength(1);
    expect(paidTo(next.payeeAddress)).toHaveLength(1);
  },
);
