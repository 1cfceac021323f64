import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { anyTronAddress, type SimulatedTron, startTronNode } from '@sangam/simulators/tron/node.ts';
import { createSignerClient, type SignerClient } from '../channels/usdt/signer-client.ts';
import { createTronNode } from '../channels/usdt/tron-node.ts';
import { DAY, MINUTE, SECOND } from '../platform/clock.ts';
import { FakeClock } from '../testing/clock.ts';
import { makeTestSigner, type TestSigner } from '../testing/signer.ts';
import { addReleaser, setLimits } from './change.ts';
import { createSigning } from './signing.ts';
import { startSigner } from './start.ts';
import { openSignerStore } from './store.ts';
import { newPrivateKey, walletKey } from './wallet-key.ts';

const USDT = 1_000_000;
const clock = new FakeClock();
let chain: SimulatedTron;
let signer: TestSigner;
let client: SignerClient;
const to = anyTronAddress('payee');
let count = 0;

beforeAll(async () => {
  chain = await startTronNode({
    contract: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    now: () => clock.now().getTime(),
  });
  signer = await makeTestSigner({ tronUrl: chain.url, clock });
  chain.wallets.fund(signer.address, { usdt: 1_000_000n * 1_000_000n, trx: 10n ** 12n });
  client = createSignerClient({ url: signer.running.url, secret: signer.config.secret }, clock);
});
afterAll(async () => {
  await signer.close();
  await chain.stop();
});
// Each test runs on another day, so that it has the whole limit of a day.
beforeEach(() => clock.advance(DAY));

const wanted = (usdt: number, fields: { key?: string; to?: string; payout?: string } = {}) => {
  count += 1;
  const key = fields.key ?? `${count}`;
  return {
    payout: key.split('-')[0]!,
    from: signer.address,
    to,
    amount: String(usdt * USDT),
    ...fields,
    key,
  };
};
const sign = (usdt: number, fields?: Parameters<typeof wanted>[1]) =>
  client.ask('/sign', wanted(usdt, fields));
const release = (
  [payout, request]: readonly [string, string],
  usdt: number,
  as: 'first' | 'second',
  person: string,
  code = signer.codeOf(person),
) => client.ask('/release', { payout, request, to, amount: String(usdt * USDT), as, person, code });

const refused = (reason: string) => ({ state: 'refused', reason });

test('a key always answers the same bytes, also after a restart, and nothing else is signed under it', async () => {
  const first = wanted(10);
  const made = await client.ask('/sign', first);
  expect(made).toMatchObject({ state: 'signed', to, amount: '10000000' });
  await signer.restart();
  clock.advance(MINUTE);
  expect(await client.ask('/sign', first)).toEqual(made);
  expect(await client.ask('/sign', { ...first, amount: '10000001' })).toMatchObject({ reason: 'different' });
  expect(await client.ask('/sign', { ...first, to: anyTronAddress('thief') })).toMatchObject({
    reason: 'different',
  });
  expect(
    await client.ask('/find', { key: first.key, payout: first.payout, renounce: true, alone: false }),
  ).toEqual(made);
});

test('another send of a payout that may still pay answers the existing transfer; another address or amount is refused', async () => {
  const made = await sign(10, { key: '900' });
  expect(await sign(10, { key: '900-2' })).toEqual(made);
  expect(await sign(11, { key: '900-2' })).toMatchObject({ state: 'refused', reason: 'different' });
  expect(await sign(10, { key: '900-2', to: anyTronAddress('thief') })).toMatchObject({
    reason: 'different',
  });
  clock.advance(2 * MINUTE + SECOND);
  // The transfer has expired, but no solid block proves that yet.
  expect(await sign(10, { key: '900-2' })).toEqual(made);
  clock.advance(32 * MINUTE);
  const anew = await sign(10, { key: '900-2' });
  expect(anew).toMatchObject({ state: 'signed', key: '900-2' });
  expect(anew).not.toMatchObject({ txid: (made as { txid: string }).txid });
});

test('a transfer that has paid or may still pay is the answer, whatever wallet or key is asked for', async () => {
  const made = await sign(10, { key: '930' });
  const elsewhere = { from: anyTronAddress('another wallet') };
  expect(await client.ask('/sign', { ...wanted(10, { key: '930' }), ...elsewhere })).toEqual(made);
  expect(await client.ask('/sign', { ...wanted(10, { key: '930-2' }), ...elsewhere })).toEqual(made);
  await client.ask('/find', { key: '931', payout: '931', renounce: true, alone: false });
  const later = await sign(10, { key: '931-2' });
  expect(await sign(10, { key: '931' })).toEqual(later);
});

test('a key that was renounced before it was signed is never signed', async () => {
  const late = wanted(10);
  expect(
    await client.ask('/find', { key: late.key, payout: late.payout, renounce: true, alone: false }),
  ).toEqual({
    state: 'renounced',
  });
  expect(await client.ask('/sign', late)).toMatchObject({ state: 'refused', reason: 'renounced' });
});

test('thirty transfers at once do not pass the day’s limit together', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => sign(250)));
  expect(answers.filter(({ state }) => state === 'signed')).toHaveLength(12);
  expect(answers.find(({ state }) => state === 'refused')).toMatchObject({ reason: 'dayLimit' });
  const { wallets, one, day } = await client.ask('/wallets', {});
  expect([wallets[0]?.usedToday, one, day]).toEqual(['3000000000', '1000000000', '3000000000']);
  clock.advance(DAY);
  expect(await sign(250)).toMatchObject({ state: 'signed' });
});

test('above the limit two people release a payout, each with their own code', async () => {
  const asked = ['700', 'r1'] as const;
  expect(await sign(1_001, { key: '700' })).toMatchObject({ state: 'refused', reason: 'releaseNeeded' });
  expect(await release(asked, 1_001, 'first', 'anita', '000000')).toEqual(refused('code'));
  expect(await release(asked, 1_001, 'first', 'chetan', '123456')).toEqual(refused('code'));
  const code = signer.codeOf('anita');
  expect(await release(asked, 1_001, 'first', 'anita', code)).toEqual({ state: 'first' });
  // The code was used, and one person does not count as two.
  expect(await release(['701', 'r2'], 1_001, 'first', 'anita', code)).toEqual(refused('code'));
  clock.advance(MINUTE);
  expect(await release(asked, 1_001, 'second', 'anita')).toEqual(refused('samePerson'));
  expect(await sign(1_001, { key: '700-2' })).toMatchObject({ reason: 'releaseNeeded' });
  expect(await release(asked, 1_002, 'second', 'bhaskar')).toEqual(refused('different'));
  clock.advance(MINUTE);
  expect(await release(asked, 1_001, 'second', 'bhaskar', '000000')).toEqual(refused('code'));
  expect(await release(asked, 1_001, 'second', 'bhaskar')).toEqual({ state: 'released' });
  expect(await release(asked, 1_001, 'second', 'bhaskar')).toEqual({ state: 'released' });
  expect(await sign(1_002, { key: '700-2' })).toMatchObject({ reason: 'releaseNeeded' });
  expect(await sign(1_001, { key: '700-3' })).toMatchObject({ state: 'signed' });
  expect((await client.ask('/wallets', {})).wallets[0]?.usedToday).toBe('0');
});

test('a first code serves its own request for a day, and another first takes its place', async () => {
  await release(['710', 'r1'], 1_001, 'first', 'anita');
  expect(await release(['710', 'r2'], 1_001, 'second', 'bhaskar')).toEqual(refused('noFirst'));
  clock.advance(MINUTE);
  expect(await release(['710', 'r2'], 1_001, 'first', 'bhaskar')).toEqual({ state: 'first' });
  clock.advance(MINUTE);
  expect(await release(['710', 'r1'], 1_001, 'second', 'anita')).toEqual(refused('noFirst'));
  clock.advance(DAY);
  expect(await release(['710', 'r2'], 1_001, 'second', 'anita')).toEqual(refused('noFirst'));
  expect(await sign(1_001, { key: '710' })).toMatchObject({ reason: 'releaseNeeded' });
});

test('after ten wrong codes of a person in a day the signer takes none of theirs, also after a restart', async () => {
  const ask = (code?: string) => release(['720', 'r1'], 1_001, 'first', 'anita', code);
  for (let time = 0; time < 10; time += 1) expect(await ask('000000')).toEqual(refused('code'));
  await signer.restart();
  expect(await ask()).toEqual(refused('locked'));
  expect(await release(['720', 'r1'], 1_001, 'first', 'bhaskar')).toEqual({ state: 'first' });
  clock.advance(DAY);
  expect(await ask()).toEqual({ state: 'first' });
});

test('a transfer that cannot be read keeps no other from being settled', async () => {
  const key = newPrivateKey();
  const { address: from } = walletKey(key);
  const { usdtContract: contract, feeLimit } = signer.config;
  const limits = { one: String(10 * USDT), day: String(100 * USDT) };
  // Without the loop that settles by itself.
  const signing = createSigning({
    store: openSignerStore(':memory:'),
    secrets: { keys: [key], releasers: [], limits },
    node: createTronNode({ url: chain.url, contract }),
    clock,
    contract,
    feeLimit,
  });
  chain.wallets.fund(from, { usdt: 100_000_000n, trx: 10n ** 12n });
  const one = (of: string) => signing['/sign']({ ...wanted(5, { key: of }), from });
  const made = [await one('s1'), await one('s2')];
  chain.wallets.faults.push('otherSender');
  for (const each of made)
    chain.wallets.answer('/wallet/broadcasthex', { transaction: (each as { hex: string }).hex });
  clock.advance(2 * MINUTE);
  await expect(signing.settle()).rejects.toThrow('1 transfers cannot be read');
  // Only who has written down that it paid knows it now.
  chain.receipt = {};
  clock.advance(40 * MINUTE);
  expect(await one('s2-2')).toEqual(made[1]);
  chain.receipt = undefined;
});

test('calls without the secret, of another time or with invalid content are refused', async () => {
  const stranger = createSignerClient({ url: signer.running.url, secret: Buffer.alloc(32, 8) }, clock);
  await expect(stranger.ask('/sign', wanted(1))).rejects.toThrow('401');
  const old = createSignerClient(
    { url: signer.running.url, secret: signer.config.secret },
    { now: () => new Date(clock.now().getTime() - 2 * MINUTE) },
  );
  await expect(old.ask('/wallets', {})).rejects.toThrow('401');
  await expect(sign(1, { to: 'TJmmqjb1DK9TTZbQXzRQ2AuA94z4gKAPFi' })).rejects.toThrow('400');
  await expect(sign(-1)).rejects.toThrow('400');
});

test('a wallet it has no key of, one that is empty, and one without TRX are told apart', async () => {
  const none = await client.ask('/sign', { ...wanted(1), from: anyTronAddress('not ours') });
  expect(none).toMatchObject({ state: 'refused', reason: 'noKey' });
  const poor = await makeTestSigner({ tronUrl: chain.url, clock });
  try {
    const ask = createSignerClient({ url: poor.running.url, secret: poor.config.secret }, clock);
    const one = (key: string) => ask.ask('/sign', { ...wanted(5, { key }), from: poor.address });
    expect(await one('p1')).toMatchObject({ state: 'wait', reason: 'balance' });
    chain.wallets.fund(poor.address, { usdt: 9_000_000n });
    expect(await one('p2')).toMatchObject({ state: 'wait', reason: 'energy' });
    chain.wallets.fund(poor.address, { trx: 100_000_000n });
    expect(await one('p3')).toMatchObject({ state: 'signed' });
    // The first transfer is not on the chain yet, but its amount is promised.
    expect(await one('p4')).toMatchObject({ state: 'wait', reason: 'balance' });
  } finally {
    await poor.close();
  }
});

test('its file is one process’s, opens to its passphrase alone, and is changed by two of its releasers', async () => {
  const silent = { clock, onError: () => undefined };
  await expect(startSigner(signer.config, silent)).rejects.toThrow(/locked/);
  await signer.restart(async () => {
    await expect(
      startSigner({ ...signer.config, passphrase: 'not this passphrase' }, silent),
    ).rejects.toThrow();
    const limits = { one: 1n, day: 1n };
    await expect(setLimits(signer.context, [], limits)).rejects.toThrow(/two releasers/);
    const anita = { name: 'anita', code: signer.codeOf('anita') };
    await expect(setLimits(signer.context, [anita, anita], limits)).rejects.toThrow(/two releasers/);
    clock.advance(MINUTE);
    await addReleaser(
      signer.context,
      ['anita', 'bhaskar'].map((name) => ({ name, code: signer.codeOf(name) })),
      'chetan',
    );
  });
  expect((await client.ask('/wallets', {})).releasers).toEqual(['anita', 'bhaskar', 'chetan']);
});
