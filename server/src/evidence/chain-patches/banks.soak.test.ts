import { getSecurityNodeList, getSecurityPatchList } from '@sangam/contract/endpoints/chain.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BankAccount, openAccount } from '@sangam/simulators/bank/account-book.ts';
import { type ChainProof, proveChain } from '@sangam/simulators/bank/chain-proof.ts';
import { simulatedBanks } from '@sangam/simulators/bank/sms-shape.ts';
import type { BankSms } from '@sangam/simulators/bank/write-sms.ts';
import { MINUTE } from '../../platform/clock.ts';
import type { CollectionOrder } from '../../collection/order.ts';
import { sql } from '../../platform/db/database.ts';
import { createRandom } from '../../demo/random.ts';
import type { SignedMonitor } from '../../http/route.ts';
import { receiveMessages } from '../matching/receive.ts';
import { releaseHeld } from '../matching/release-held.ts';
import { parseSender } from '../templates/normalise.ts';
import { heartbeat } from '../monitors/heartbeat.ts';
import { ask } from '../../testing/ask.ts';
import { brokenChecks } from '../../testing/books.ts';
import { createOne, newReference } from '../../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../../testing/platform.ts';
import { runsOf, SEED } from '../../testing/seed.ts';
import { makeAccount, makeMerchant, makeMonitor, makeSupplier, viewerOf } from '../../testing/world.ts';
import { checkLeaks } from './leak-check.ts';

/**
 * Every bank of the simulator has an account. Messages come shuffled, get lost or are forged, and the chains are compared with the banks'
 * books.
 */

// In a shorter time no message is lost, and the test would prove nothing.
const MINUTES = Math.max(20, runsOf(20));
const MOVEMENTS_A_MINUTE = 8;
/** Above the amount from which the chain checks: a smaller forgery pays nobody. */
const WORTH_FORGING = 12_000_00n;

const random = createRandom(SEED);
let node: TestPlatform;
let monitor: SignedMonitor;
let merchantId: bigint;
const accounts = new Map<bigint, BankAccount>();

beforeAll(async () => {
  node = await createTestPlatform();
  ({ merchantId } = await makeMerchant(node.platform));
  const { supplierId } = await makeSupplier(node.platform, { deposit: 10n ** 11n });
  const { monitorId } = await makeMonitor(node.platform, { supplierId });
  monitor = { id: monitorId, supplierId };
  for (const bank of simulatedBanks) {
    const demo = { resourceId: '', productId: 1010, bank, accountTail: '1234', vpa: '', senderHeader: '' };
    const sample = openAccount(demo, random).credit({ ...wording(), amount: 100 });
    const sender = parseSender(sample.sender);
    const { accountId, accountNumber } = await makeAccount(node.platform, {
      supplierId,
      monitorId,
      bank,
      senderHeader: sender.type === 'header' ? sender.header : '',
      maxWaiting: 1_000,
    });
    const account = { ...demo, resourceId: String(accountId), accountTail: accountNumber.slice(-4) };
    accounts.set(accountId, openAccount(account, random));
  }
});
afterAll(() => node.close());

const wording = () => ({
  reference: newReference(),
  payerName: 'Asha Rao',
  payeeName: 'Asha Rao',
  variant: random.int(0, 59),
  at: node.clock.now(),
});

/** What a phone gets by one random event. A forger's order is never paid. */
async function happen(): Promise<{
  readonly sms?: BankSms;
  readonly paid?: CollectionOrder;
  readonly forged?: CollectionOrder;
}> {
  const fate = random.weighted([
    ['paid', 70],
    ['lostCredit', 6],
    ['debit', 10],
    ['lostDebit', 5],
    ['blind', 3],
    ['insider', 6],
  ] as const);
  const account = random.pick([...accounts.values()]);
  const amount = random.int(100_00, 3_000_00);
  if (fate === 'debit') return { sms: account.debit({ ...wording(), amount }) };
  if (fate === 'lostDebit') return (account.lose(-amount), {});
  const isForged = fate === 'blind' || fate === 'insider';
  const order = await createOne(node.platform, merchantId, {
    amount: BigInt(amount) + (isForged ? WORTH_FORGING : 0n),
  });
  const payable = Number(order.payable);
  const shown = accounts.get(order.accountId!)!;
  if (fate === 'lostCredit') return (shown.lose(payable), {});
  if (isForged)
    return { sms: shown.forge({ ...wording(), amount: payable }, fate === 'insider'), forged: order };
  return { sms: shown.credit({ ...wording(), amount: payable }), paid: order };
}

let told = 0;
async function tell(texts: readonly BankSms[]): Promise<void> {
  const receivedAt = node.clock.now();
  const messages = texts.map((sms) => ({
    ...sms,
    messageId: `bank-${(told += 1)}`,
    kind: 'sms' as const,
    receivedAt,
    accountHint: undefined,
  }));
  await receiveMessages(
    node.platform,
    monitor,
    messages.toSorted(() => random.next() - 0.5),
  );
}

async function proofs(): Promise<ChainProof[]> {
  const viewer = viewerOf(node.platform, { role: 'superAdmin' });
  const all: ChainProof[] = [];
  for (const account of accounts.values()) {
    const query = { resourceId: account.resourceId, pageSize: '500' };
    const gaps = await ask(node.platform, viewer, getSecurityPatchList, query);
    const nodes = await ask(node.platform, viewer, getSecurityNodeList, query);
    // A message without balance has no place in a chain.
    const placed = nodes.list.flatMap(({ balance, balanceBefore, ...node }) =>
      balance === null || balanceBefore === null ? [] : [{ ...node, balance, balanceBefore }],
    );
    all.push(proveChain(account.bank, account.book, placed, gaps.list));
  }
  return all;
}

const pass = async (minutes: number) => {
  node.clock.advance(minutes * MINUTE);
  await heartbeat(node.platform, monitor, { scriptVersion: '1' });
  await releaseHeld(node.platform);
  await checkLeaks(node.platform);
};

test(
  `all banks for ${MINUTES} minutes: every lost message is missed with its sum, no forged one books, none is held for ever`,
  { timeout: 120_000 },
  async () => {
    const forged: CollectionOrder[] = [];
    for (let minute = 0; minute < MINUTES; minute += 1) {
      const texts: BankSms[] = [];
      for (let n = 0; n < MOVEMENTS_A_MINUTE; n += 1) {
        const event = await happen();
        if (event.sms) texts.push(event.sms);
        if (event.forged) forged.push(event.forged);
      }
      await tell(texts);
      await pass(1);
    }
    const seen = await proofs();
    expect({
      seed: SEED,
      wrong: seen.flatMap(({ account, wrong }) => wrong.map((why) => `${account}: ${why}`)),
    }).toEqual({
      seed: SEED,
      wrong: [],
    });
    const count = (part: 'lost' | 'unstated' | 'found') =>
      seen.reduce((sum, proof) => sum + proof[part].count, 0);
    // The test covers each case at least once.
    expect([count('lost') > 0, count('unstated') > 0, count('found') > 0]).toEqual([true, true, true]);

    for (let n = 0; n < 12; n += 1) await pass(1);
    const rows = await node.platform.db.query<{ id: bigint; status: number }>(sql`
      select id, status from collection_orders where id = any(${forged.map(({ id }) => id)}) and status = 6`);
    expect({ seed: SEED, bookedForForgers: rows }).toEqual({ seed: SEED, bookedForForgers: [] });
    const silent = await node.platform.db.query(sql`
      select m.id, m.reason from messages m where m.state = 'held'
      union all select g.id, 'open gap' from chain_gaps g where g.state = 'open' and g.alerted_at is null`);
    expect({ seed: SEED, silent }).toEqual({ seed: SEED, silent: [] });
    expect(await brokenChecks(node.platform)).toEqual([]);
  },
);
