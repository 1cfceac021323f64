import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { checkLeaks } from '../chain-patches/leak-check.ts';
import { MINUTE } from '../../platform/clock.ts';
import { sql } from '../../platform/db/database.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import type { Platform } from '../../platform/platform.ts';
import { readOrder } from '../../collection/read.ts';
import { brokenChecks } from '../../testing/books.ts';
import {
  createOne,
  creditSms,
  makeShop,
  newReference,
  type Shop,
  statedSms,
} from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { viewerOf } from '../../testing/world.ts';
import type { ReportedMessage } from './message.ts';
import { receiveMessages } from './receive.ts';
import { releaseHeld } from './release-held.ts';
import { submitUtr } from './payer-utr.ts';
import { supplement } from './supplement.ts';

/** What the trusted chain lets messages do by themselves, on an account whose bank states balances. */

let node: TestPlatform;
let shop: Shop;
beforeAll(async () => {
  node = await createTestPlatform();
});
beforeEach(async () => {
  // Another test checks how much an operator may book without a corroborated message (payout/own-word.test.ts).
  await node.platform.settings.write('UnprovenDayLimit', { INR: 1e15, KES: 1e15, USDT: 1e15 }, null);
  await node.platform.db.query(sql`update resources set state = 1`);
  shop = await makeShop(node.platform);
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from settings`);
  await node.platform.settings.refresh();
  expect(await brokenChecks(node.platform)).toEqual([]);
});
afterAll(() => node.close());

const sms = (movement: { amount: bigint; balance: bigint; reference?: string }) =>
  statedSms(node.platform, shop, movement);

const receive = (...messages: ReportedMessage[]) =>
  receiveMessages(node.platform, shop.monitor, messages).then((results) => results.map(({ state }) => state));
const order = (amount: bigint) => createOne(node.platform, shop.merchantId, { amount });
const status = async ({ id }: { id: bigint }) => (await readOrder(node.platform.db, id))!.status;
const stateOf = async (utr: string) => {
  const [row] = await node.platform.db.query<{ state: string; reason: string | null }>(
    sql`select state, reason from messages where utr = ${utr}`,
  );
  return row;
};
const gaps = () =>
  node.platform.db.query<{ delta: bigint; state: string }>(sql`
    select delta, state from chain_gaps where account_id = ${shop.accountId} order by id`);
/** Enough linked messages for a trusted chain. Returns the last balance. */
async function history(messages = 6): Promise<bigint> {
  for (let n = 1; n <= messages; n += 1) {
    node.clock.advance(MINUTE);
    await receive(sms({ amount: 100_00n, balance: 1_000_00n + BigInt(n) * 100_00n }));
  }
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  return 1_000_00n + BigInt(messages) * 100_00n;
}
const wait = async (minutes: number) => {
  node.clock.advance(minutes * MINUTE);
  await heartbeat(node.platform, shop.monitor, { scriptVersion: '1' });
  return releaseHeld(node.platform);
};

test('a credit that links to the message before it completes its order at once', async () => {
  const balance = await history();
  const paid = await order(500_00n);
  expect(await receive(sms({ amount: paid.payable!, balance: balance + paid.payable! }))).toEqual([
    'matched',
  ]);
});

test('a credit after a gap is held until the missing message comes, and then completes its order', async () => {
  const balance = await history();
  const paid = await order(500_00n);
  const missing = sms({ amount: 700_00n, balance: balance + 700_00n });
  node.clock.advance(MINUTE);
  expect(await receive(sms({ amount: paid.payable!, balance: balance + 700_00n + paid.payable! }))).toEqual([
    'held',
  ]);
  expect(await gaps()).toEqual([{ delta: 700_00n, state: 'open' }]);
  expect(await releaseHeld(node.platform)).toBe(0);
  expect(await status(paid)).toBe(1);
  await receive(missing);
  expect(await gaps()).toEqual([{ delta: 700_00n, state: 'closed' }]);
  expect(await Promise.all([releaseHeld(node.platform), releaseHeld(node.anotherNode())])).toContain(1);
  expect(await releaseHeld(node.platform)).toBe(0);
  expect(await status(paid)).toBe(6);
});

test('a held credit whose reference was booked otherwise meanwhile is left to people once its chain corroborates it', async () => {
  const balance = await history();
  const [paid, other] = [await order(500_00n), await order(900_00n)];
  const reference = newReference();
  const missing = sms({ amount: 700_00n, balance: balance + 700_00n });
  node.clock.advance(MINUTE);
  const held = sms({ amount: paid.payable!, balance: balance + 700_00n + paid.payable!, reference });
  expect(await receive(held)).toEqual(['held']);
  const booked = { orderId: other.id, utr: reference, offset: true };
  await supplement(node.platform, viewerOf(node.platform, { role: 'superAdmin' }), booked);
  await receive(missing);
  await releaseHeld(node.platform);
  expect(await stateOf(reference)).toEqual({ state: 'ambiguous', reason: 'contradictsBooked' });
});

test('a gap that stays leaves the credit after it to an operator, who books and joins it', async () => {
  const balance = await history();
  const paid = await order(500_00n);
  const reference = newReference();
  const told = { amount: paid.payable!, balance: balance - 90_00n + paid.payable!, reference };
  expect(await receive(sms(told))).toEqual(['held']);
  await wait(9);
  expect(await stateOf(reference)).toEqual({ state: 'held', reason: 'chain' });
  await wait(1);
  expect(await stateOf(reference)).toEqual({ state: 'untrusted', reason: 'gap' });
  expect(await status(paid)).toBe(1);
  await supplement(node.platform, viewerOf(node.platform, { role: 'customerService' }), {
    orderId: paid.id,
    utr: reference,
    offset: false,
  });
  expect(await stateOf(reference)).toEqual({ state: 'matched', reason: null });
});

const told = async (movement: { amount: bigint; balance: bigint; reference: string }) => {
  node.clock.advance(MINUTE);
  await receive(sms(movement));
};
const secondLook = async () => {
  await node.platform.db.query(sql`delete from chain_leak_checks`);
  await checkLeaks(node.platform);
};

test('a credit that was left to an operator after a gap completes its order when the missing message comes after all', async () => {
  const balance = await history();
  const paid = await order(500_00n);
  const reference = newReference();
  const missing = sms({ amount: 700_00n, balance: balance + 700_00n });
  await told({ amount: paid.payable!, balance: balance + 700_00n + paid.payable!, reference });
  await wait(11);
  expect(await stateOf(reference)).toEqual({ state: 'untrusted', reason: 'gap' });
  await secondLook();
  expect(await status(paid)).not.toBe(6);
  await receive(missing);
  await secondLook();
  expect(await stateOf(reference)).toEqual({ state: 'matched', reason: null });
  expect(await status(paid)).toBe(6);
});

test('a large credit on a quiet account completes its order when the next message comes, even after the hold is over', async () => {
  const balance = await history();
  const paid = await order(50_000_00n);
  const reference = newReference();
  const after = balance + paid.payable!;
  await told({ amount: paid.payable!, balance: after, reference });
  await wait(40);
  expect(await stateOf(reference)).toEqual({ state: 'untrusted', reason: 'unproven' });
  await receive(sms({ amount: 20_00n, balance: after + 20_00n }));
  await secondLook();
  expect(await status(paid)).toBe(6);
});

test('a credit that an operator booked meanwhile, or that is a day old, is not looked at again', async () => {
  const balance = await history();
  const [booked, old] = [await order(50_000_00n), await order(61_000_00n)];
  const references = [newReference(), newReference()] as const;
  await told({
    amount: booked.payable!,
    balance: balance - 90_00n + booked.payable!,
    reference: references[0],
  });
  await told({ amount: old.payable!, balance: balance - 95_00n + old.payable!, reference: references[1] });
  await wait(11);
  const utr = { orderId: booked.id, utr: references[0], offset: false };
  await supplement(node.platform, viewerOf(node.platform, { role: 'customerService' }), utr);
  await wait(25 * 60);
  await receive(sms({ amount: 20_00n, balance: balance + 20_00n }));
  await secondLook();
  expect(await stateOf(references[0])).toEqual({ state: 'matched', reason: null });
  expect(await stateOf(references[1])).toMatchObject({ state: 'untrusted' });
  const holds = await node.platform.db.query(
    sql`select from chain_holds where account_id = ${shop.accountId}`,
  );
  expect(holds).toEqual([]);
});

test('a held credit that an operator books is booked once', async () => {
  const balance = await history();
  const paid = await order(50_000_00n);
  const reference = newReference();
  await receive(sms({ amount: paid.payable!, balance: balance + paid.payable!, reference }));
  await supplement(node.platform, viewerOf(node.platform, { role: 'customerService' }), {
    orderId: paid.id,
    utr: reference,
    offset: false,
  });
  expect(await wait(11)).toBe(0);
  expect(await stateOf(reference)).toEqual({ state: 'matched', reason: null });
});

test('a large credit waits for the message after it', async () => {
  const balance = await history();
  const paid = await order(50_000_00n);
  const after = balance + paid.payable!;
  expect(await receive(sms({ amount: paid.payable!, balance: after }))).toEqual(['held']);
  expect(await wait(1)).toBe(0);
  await receive(sms({ amount: -20_00n, balance: after - 20_00n }));
  expect(await wait(0)).toBe(1);
  expect(await status(paid)).toBe(6);
});

test('a forged large credit completes nothing: not by its balance, not after a time, not by a typed UTR', async () => {
  const balance = await history();
  const wanted = await order(50_000_00n);
  const reference = newReference();
  expect(
    await receive(sms({ amount: wanted.payable!, balance: balance + wanted.payable!, reference })),
  ).toEqual(['held']);
  for (let n = 1n; n <= 6n; n += 1n) {
    await wait(1);
    await receive(sms({ amount: 10_00n, balance: balance + n * 10_00n }));
  }
  const token = node.platform.vault.payToken(wanted.id);
  expect(await submitUtr(node.platform, token, reference, '10.0.0.9')).toMatchObject({ state: 'waiting' });
  await wait(10);
  expect(await stateOf(reference)).toEqual({ state: 'untrusted', reason: 'fork' });
  expect(await submitUtr(node.platform, token, reference, '10.0.0.9')).not.toMatchObject({ state: 'paid' });
  expect(await status(wanted)).not.toBe(6);
  expect(await gaps()).toEqual([]);
});

test('a forged credit that is reported before its payer types its UTR is held for the chain all the same', async () => {
  const balance = await history();
  const reference = newReference();
  await receive(sms({ amount: 640_00n, balance: balance + 900_00n, reference }));
  const wanted = await order(640_00n);
  const token = node.platform.vault.payToken(wanted.id);
  expect(await submitUtr(node.platform, token, reference, '10.0.0.9')).toMatchObject({ state: 'waiting' });
  expect(await stateOf(reference)).toEqual({ state: 'held', reason: 'chain' });
});

test('with the check off the chain is kept, and no credit waits for it', async () => {
  await node.platform.settings.write('EnableSystemCheck', false, null);
  await history();
  const paid = await order(50_000_00n);
  expect(await receive(sms({ amount: paid.payable!, balance: 77_00n + paid.payable! }))).toEqual(['matched']);
  expect(await gaps()).toHaveLength(1);
});

test('a credit without balance completes by amount alone only where the bank sometimes states balances', async () => {
  const say = async (mode: string) => {
    await node.platform.db.query(
      sql`update accounts set balance_mode = ${mode} where id = ${shop.accountId}`,
    );
    const paid = await order(500_00n);
    const told = sms({ amount: paid.payable!, balance: 1n });
    return receive({ ...told, text: told.text.replace(/ Avl bal.*/, '') });
  };
  expect(await say('optional')).toEqual(['matched']);
  expect(await say('required')).toEqual(['held']);
  expect(await say('none')).toEqual(['held']);
});

test('where the bank never states a balance, the payer’s UTR or our code completes what the amount alone does not', async () => {
  await node.platform.db.query(sql`update accounts set balance_mode = 'none' where id = ${shop.accountId}`);
  const tellOf = async (amount: bigint, remark = 'payer') => {
    const reference = newReference();
    const told = sms({ amount, balance: 1n, reference });
    const text = told.text.replace(/ Avl bal.*/, '').replace('payer@', `${remark}@`);
    expect(await receive({ ...told, text })).toEqual([remark === 'payer' ? 'held' : 'matched']);
    return reference;
  };
  const coded = await order(500_00n);
  await tellOf(coded.payable!, coded.identifyCode!);
  expect(await status(coded)).toBe(6);

  const [soon, late, silent] = [await order(500_00n), await order(600_00n), await order(700_00n)];
  const names = (to: { id: bigint }, utr: string) =>
    submitUtr(node.platform, node.platform.vault.payToken(to.id), utr, '10.0.0.9');
  const utr = await tellOf(soon.payable!);
  await names(soon, newReference());
  expect(await releaseHeld(node.platform)).toBe(0);
  await names(soon, utr);
  expect(await releaseHeld(node.platform)).toBe(1);
  expect(await status(soon)).toBe(6);

  const [lateUtr, silentUtr] = [await tellOf(late.payable!), await tellOf(silent.payable!)];
  await wait(11);
  expect(await stateOf(lateUtr)).toEqual({ state: 'untrusted', reason: 'noBalance' });
  await names(late, lateUtr);
  await releaseHeld(node.platform);
  expect([await status(late), await status(silent)]).toEqual([6, 1]);
  expect(await stateOf(silentUtr)).toEqual({ state: 'untrusted', reason: 'noBalance' });
});

test('a message without balance explains the gap before the next message, and gets an inferred balance', async () => {
  const balance = await history();
  const told = sms({ amount: 300_00n, balance: 1n });
  await receive({ ...told, text: told.text.replace(/ Avl bal.*/, '') });
  const paid = await order(500_00n);
  expect(await receive(sms({ amount: paid.payable!, balance: balance + 300_00n + paid.payable! }))).toEqual([
    'matched',
  ]);
  expect(await gaps()).toEqual([]);
});

test('a message without balance that comes later closes the gap, and the credit held for it is booked', async () => {
  const balance = await history();
  const late = sms({ amount: 300_00n, balance: 1n });
  const paid = await order(500_00n);
  node.clock.advance(MINUTE);
  expect(await receive(sms({ amount: paid.payable!, balance: balance + 300_00n + paid.payable! }))).toEqual([
    'held',
  ]);
  await receive({ ...late, text: late.text.replace(/ Avl bal.*/, '') });
  expect(await gaps()).toEqual([{ delta: 300_00n, state: 'closed' }]);
  expect(await releaseHeld(node.platform)).toBe(1);
  expect(await status(paid)).toBe(6);
});

test('two nodes place one account’s messages one after the other, and it is one chain', async () => {
  const balance = await history(2);
  const messages = Array.from({ length: 16 }, (_, n) =>
    sms({ amount: 10_00n, balance: balance + BigInt(n + 1) * 10_00n }),
  );
  const nodes: Platform[] = [node.platform, node.anotherNode()];
  await Promise.all(messages.map((message, n) => receiveMessages(nodes[n % 2]!, shop.monitor, [message])));
  const [chain] = await node.platform.db.query<{ nodes: number; heads: number }>(sql`
    select count(*)::int as nodes, count(*) filter (where previous_id is null)::int as heads
    from chain_nodes where account_id = ${shop.accountId}`);
  expect(chain).toEqual({ nodes: 18, heads: 1 });
});

test('a message whose report is rolled back is not placed, and is placed once when it is reported again', async () => {
  const balance = await history(2);
  const paid = await order(500_00n);
  const told = sms({ amount: paid.payable!, balance: balance + paid.payable! });
  const dying: Platform['db']['tx'] = (work) =>
    node.platform.db.tx(async (tx) => {
      await work(tx);
      throw new Error('the node died');
    });
  const { db } = node.platform;
  const failing: Platform = { ...node.platform, db: { ...db, evidence: { ...db.evidence, tx: dying } } };
  await expect(receiveMessages(failing, shop.monitor, [told])).rejects.toThrow('the node died');
  expect(await status(paid)).toBe(1);
  expect(await receive(told)).toEqual(['matched']);
  expect(await receive(told)).toEqual(['matched']);
});

test('a message that states its balance later takes the place that was inferred for another message', async () => {
  const balance = await history();
  node.clock.advance(MINUTE);
  // Paid in this order: 300, 500, 40.
  await receive(creditSms(node.platform, shop, 500_00n), creditSms(node.platform, shop, 300_00n));
  node.clock.advance(MINUTE);
  await receive(sms({ amount: 40_00n, balance: balance + 840_00n }));
  expect(await gaps()).toEqual([]);
  await receive(sms({ amount: 500_00n, balance: balance + 800_00n }));
  expect((await gaps()).map(({ state }) => state)).not.toContain('open');
});

test('the second wording of a message in the chain explains no later gap of the same sum', async () => {
  const balance = await history();
  await receive(
    sms({ amount: 500_00n, balance: balance + 500_00n }),
    creditSms(node.platform, shop, 500_00n),
  );
  await receive(sms({ amount: 40_00n, balance: balance + 1_040_00n }));
  expect(await gaps()).toEqual([{ delta: 500_00n, state: 'open' }]);
});

test('one movement in two wordings that both state the balance is one movement of the chain', async () => {
  const balance = await history();
  const first = await order(500_00n);
  const stated = { amount: first.payable!, balance: balance + first.payable!, reference: newReference() };
  const states = await receive(sms(stated), sms({ ...stated, reference: newReference() }));
  expect(states).toEqual(['matched', 'unmatched']);
  const { payable } = await order(900_00n);
  expect(await receive(sms({ amount: payable!, balance: stated.balance + payable! }))).toEqual(['matched']);
  const nodes = await node.platform.db.query<{ state: string }>(
    sql`select state from chain_nodes where account_id = ${shop.accountId} order by id desc limit 3`,
  );
  expect(nodes.map(({ state }) => state)).toEqual(['linked', 'repeat', 'linked']);
});
