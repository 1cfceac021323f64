import { copyFile } from 'node:fs/promises';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { Fault } from '@sangam/simulators/tron/wallets.ts';
import { afterEach, expect, test } from 'vitest';
import { createSignerClient } from '../channels/usdt/signer-client.ts';
import { HOUR, MINUTE, SECOND } from '../platform/clock.ts';
import { USDT, type UsdtPayout, usdtWorld } from '../testing/usdt-world.ts';
import { reselectPayout } from './reselect.ts';

/** The signer's file was lost, and an older copy of it is all there is. */

const { completed, processingError, submitted, toBeConfirmed } = PAYOUT_STATUS;
const usdt = usdtWorld();
const { order, read, statusOf, dispatch, desk, paidTo, ask } = usdt;

const copyOf = (name: string) => `${usdt.signer.config.file}.${name}`;
const keepCopy = (name: string) => usdt.signer.restart(() => copyFile(usdt.signer.config.file, copyOf(name)));
const restore = (name: string) => usdt.signer.restart(() => copyFile(copyOf(name), usdt.signer.config.file));

let isOlder = false;
/** The signer loses what it wrote since the copy. */
async function forget(): Promise<void> {
  await keepCopy('newer');
  await restore('older');
  isOlder = true;
}
async function remember(): Promise<void> {
  if (isOlder) await restore('newer');
  isOlder = false;
}
afterEach(remember);

/** Sends a payout whose transfer is noted, and which the signer then forgets. */
async function sentAndForgotten(...faults: Fault[]): Promise<UsdtPayout> {
  await keepCopy('older');
  const made = await order();
  usdt.chain.wallets.faults.push(...faults);
  await dispatch();
  expect(await read(made)).toMatchObject({ status: submitted, gatewayRef: expect.any(String) as string });
  await forget();
  return made;
}

test('a transfer that the signer has forgotten is completed by the chain’s receipt', async () => {
  const made = await sentAndForgotten();
  await ask();
  // No block is solid yet.
  expect(await statusOf(made)).toBe(toBeConfirmed);
  await ask(2 * MINUTE);
  const [paid] = paidTo(made.payeeAddress);
  expect(await read(made)).toMatchObject({ status: completed, utr: paid!.txid.toUpperCase() });
});

test('the chain completes a payout while there is no signer at all', async () => {
  const made = await order();
  await dispatch();
  await usdt.signer.restart(() => ask(2 * MINUTE));
  expect(await statusOf(made)).toBe(completed);
});

test('one that failed on the chain is a processing error, and is sent anew once', async () => {
  const made = await sentAndForgotten('outOfEnergy');
  await ask(2 * MINUTE);
  expect(await statusOf(made)).toBe(processingError);
  await remember();
  await reselectPayout(usdt.world.platform, desk(), made.id);
  await dispatch();
  await ask(2 * MINUTE);
  expect(await read(made)).toMatchObject({ status: completed, attempt: 2 });
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
});

test('a receipt that is missing proves nothing where the signer has forgotten the transfer', async () => {
  const made = await sentAndForgotten('dropped');
  await ask(2 * HOUR);
  expect(await statusOf(made)).toBe(toBeConfirmed);
  await remember();
  await ask();
  expect(await statusOf(made)).toBe(processingError);
});

test('what an older copy knows of an earlier transfer says nothing of the present one', async () => {
  const made = await order();
  usdt.chain.wallets.faults.push('dropped');
  await dispatch();
  // In this copy the first transfer may still pay.
  await keepCopy('older');
  await ask(33 * MINUTE);
  expect(await statusOf(made)).toBe(processingError);
  await reselectPayout(usdt.world.platform, desk(), made.id);
  await dispatch();
  expect(await read(made)).toMatchObject({ status: submitted, attempt: 2 });
  await forget();
  await ask(20 * SECOND);
  expect(await statusOf(made)).toBe(toBeConfirmed);
  await ask(2 * MINUTE);
  expect(await read(made)).toMatchObject({ status: completed, attempt: 2 });
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
});

test('an older copy is not believed that it never signed a payout whose transfer was not noted', async () => {
  await keepCopy('older');
  const noted = await order();
  await dispatch();
  const made = await order();
  usdt.proxy.loss = 1;
  await dispatch();
  usdt.proxy.loss = 0;
  expect(await read(made)).toMatchObject({ status: toBeConfirmed, gatewayRef: null });
  // As a node that broadcast the transfer and died before it wrote anything down.
  const client = createSignerClient(usdt.world.platform.config.signer!, usdt.world.clock);
  const own = { key: String(made.id), payout: String(made.id), renounce: false, alone: false };
  const { hex } = (await client.ask('/find', own)) as { readonly hex: string };
  usdt.chain.wallets.answer('/wallet/broadcasthex', { transaction: hex });
  await forget();
  await ask(2 * MINUTE);
  expect(await statusOf(made)).toBe(toBeConfirmed);
  expect(paidTo(made.payeeAddress)).toHaveLength(1);
  expect(await statusOf(noted)).toBe(completed);
  await remember();
  await ask();
  expect(await statusOf(made)).toBe(completed);
});

test.each([
  ['outOfEnergy', 2 * MINUTE],
  ['dropped', 33 * MINUTE],
] as const)(
  'a transfer of another attempt that the signer answered, and that ended in %s, is no transfer that it has forgotten',
  async (fault, afterMs) => {
    const made = await order();
    const client = createSignerClient(usdt.world.platform.config.signer!, usdt.world.clock);
    // The platform was restored since, to a copy in which this attempt was not made.
    const { id, payeeAddress: to } = made;
    const { address: from } = usdt.signer;
    const earlier = { key: `${id}-7`, payout: String(id), from, to, amount: String(25n * USDT) };
    expect(await client.ask('/sign', earlier)).toMatchObject({ state: 'signed' });
    usdt.chain.wallets.faults.push(fault);
    await dispatch();
    expect(await statusOf(made)).toBe(submitted);
    usdt.world.clock.advance(afterMs);
    await usdt.signer.running.signing.settle();
    await ask();
    expect(await statusOf(made)).toBe(processingError);
  },
);

test.each([
  ['knows', () => order()],
  ['has forgotten', () => sentAndForgotten()],
] as const)(
  'a transfer that the signer %s, and that moved another sum, completes nothing: a frozen processing error',
  async (_, begin) => {
    usdt.chain.wallets.faults.push('feeKept');
    const made = await begin();
    await dispatch();
    await ask(2 * MINUTE);
    expect(await read(made)).toMatchObject({ status: processingError, frozen: true });
  },
);
