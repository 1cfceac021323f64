import type { Currency } from '@sangam/contract/money.ts';
import fc from 'fast-check';
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../platform/db/database.ts';
import { splitFee, type Terms } from '../ledger/fees.ts';
import type { Leg } from '../ledger/post.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { supplement } from '../evidence/matching/supplement.ts';
import { readPayout } from '../payout/read.ts';
import { completedPosting, frozenPosting, returnedPosting } from '../payout/posting.ts';
import { balancesIn, brokenChecks } from '../testing/books.ts';
import { createOne, creditSms, makeShop, newReference } from '../testing/payments.ts';
import { makePayoutShop, payOut } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { reverseByTwo } from '../testing/reversal.ts';
import { makeSupplier, setTerms, viewerOf } from '../testing/world.ts';
import { readOrder } from './read.ts';
import { postingOf } from './complete.ts';
import type { CollectionOrder } from './order.ts';
import type { PayoutOrder } from '../payout/order.ts';

const SEED = Number(process.env['SPLIT_SEED'] ?? randomInt(2 ** 31));
const RUNS = Number(process.env['SPLIT_RUNS'] ?? 5_000);

let node: TestPlatform;
let collection: CollectionOrder;
let payout: PayoutOrder;
beforeAll(async () => {
  node = await createTestPlatform();
  const shop = await makeShop(node.platform);
  collection = (await readOrder(node.platform.db, (await createOne(node.platform, shop.merchantId)).id))!;
  const { merchantId, supplierId } = await makePayoutShop(node.platform);
  payout = {
    ...(await readPayout(node.platform.db, (await payOut(node.platform, merchantId)).id))!,
    supplierId,
  };
});
afterAll(() => node.close());

const terms: fc.Arbitrary<Terms> = fc.record({
  ratePpm: fc.oneof(fc.integer({ min: 0, max: 60_000 }), fc.integer({ min: 0, max: 1_000_000 })),
  fixedFee: fc.bigInt({ min: 0n, max: 100_00n }),
});
const amount = fc.oneof(fc.bigInt({ min: 1n, max: 10_000n }), fc.bigInt({ min: 1n, max: 10n ** 15n }));
const asked = fc.record({
  amount,
  currency: fc.constantFrom<Currency>('INR', 'KES', 'USDT'),
  merchant: terms,
  supplier: terms,
  levels: fc.array(terms, { maxLength: 5 }),
  offset: fc.boolean(),
  held: fc.option(amount, { nil: 0n }),
  dueDay: fc.option(fc.integer({ min: 1, max: 32_767 }), { nil: undefined }),
});
const sum = (legs: readonly Leg[], of: (leg: Leg) => boolean = () => true) =>
  legs.filter(of).reduce((total, leg) => total + leg.amount, 0n);
const isBucket =
  (...buckets: string[]) =>
  (leg: Leg) =>
    buckets.includes(leg.bucket);

test(`the legs of a collection add up for any amount, rates, levels, currency and mode (seed ${SEED})`, () => {
  fc.assert(
    fc.property(asked, ({ amount: received, currency, merchant, supplier, levels, offset, held, dueDay }) => {
      const agents = levels.map((each, level) => ({ agentId: BigInt(100 + level), terms: each }));
      const split = splitFee(received, merchant, supplier, agents);
      const order = { ...collection, currency, received };
      const { legs } = postingOf(order, split, offset, node.clock.now(), { held, dueDay });
      expect(sum(legs)).toBe(0n);
      expect(sum(legs, (leg) => leg.ownerKind === 'merchant')).toBe(received - split.fee);
      expect(sum(legs, isBucket('commission', 'revenue'))).toBe(split.fee);
      expect(sum(legs, isBucket('held'))).toBe(-held);
      expect(sum(legs, isBucket('suspense'))).toBe(offset ? -received : 0n);
      expect(sum(legs, isBucket('deposit', 'held'))).toBe(offset ? 0n : -received);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`the legs of a payout add up, whether it is paid or given back (seed ${SEED})`, () => {
  const at = node.clock.now();
  fc.assert(
    fc.property(asked, ({ amount: paid, currency, merchant, supplier, levels, offset }) => {
      const { fee } = splitFee(paid, merchant, null, []);
      const agents = levels.map((each, level) => ({ agentId: BigInt(100 + level), terms: each }));
      // Here `offset` means: a gateway pays from the platform's float.
      const supplierId = offset ? null : payout.supplierId;
      const split = splitFee(
        paid,
        { ratePpm: 0, fixedFee: fee },
        offset ? null : supplier,
        offset ? [] : agents,
      );
      const order = { ...payout, currency, amount: paid, fee, supplierId };
      const [frozen, done, back] = [
        frozenPosting(order, at),
        completedPosting(order, split, at),
        returnedPosting(order, at),
      ];
      for (const { legs } of [frozen, done, back]) expect(sum(legs)).toBe(0n);
      expect(sum(done.legs, isBucket('commission', 'revenue'))).toBe(split.fee);
      expect(sum(done.legs, isBucket('deposit', 'float'))).toBe(paid);
      expect(sum([...frozen.legs, ...done.legs], isBucket('frozen'))).toBe(0n);
      expect(sum([...frozen.legs, ...back.legs])).toBe(0n);
      // The fee was fixed at creation and is not split again.
      expect(split.fee).toBe(fee);
    }),
    { seed: SEED, numRuns: RUNS },
  );
});

test(`five agents, held deposits and offsets: each agent gets its share and a reversal takes it back (seed ${SEED})`, async () => {
  const { platform } = node;
  await platform.settings.write('IsSupplierRemoveBalanceOnOrderFinished', false, null);
  await platform.db.query(sql`update resources set state = 1`);
  const shop = await makeShop(platform);
  const agents: bigint[] = [];
  let below = shop.supplierId;
  for (let level = 0; level < 5; level += 1) {
    const { supplierId } = await makeSupplier(platform, { products: [], deposit: 0n });
    await platform.db.query(sql`update suppliers set agent_id = ${supplierId} where id = ${below}`);
    await setTerms(platform, { ownerKind: 'agent', ownerId: supplierId, productId: 1010 });
    await platform.db.query(sql`
      update user_products set rate_ppm = ${1_111 + level * 7}, fixed_fee = ${level}
      where owner_kind = 'agent' and owner_id = ${supplierId} and product_id = 1010`);
    agents.push(supplierId);
    below = supplierId;
  }
  const admin = viewerOf(platform, { role: 'superAdmin' });
  const rates = agents.map((_, level) => ({ ratePpm: 1_111 + level * 7, fixedFee: BigInt(level) }));
  let state = SEED;
  const random = (n: number) => (state = (state * 48_271 + 11) % 2_147_483_647) % n;
  const owed = agents.map(() => 0n);
  for (let i = 0; i < 6; i += 1) {
    const order = await createOne(platform, shop.merchantId, { amount: BigInt(10_000 + random(900_000)) });
    const offset = i % 3 === 0;
    if (offset) await supplement(platform, admin, { orderId: order.id, utr: newReference(), offset });
    else await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
    const paid = (await readOrder(platform.db, order.id))!;
    expect(paid.status).toBe(6);
    if (i % 2 === 0) {
      await reverseByTwo(platform, { orderId: order.id });
      continue;
    }
    rates.forEach((rate, level) => {
      owed[level]! += splitFee(paid.received!, rate, null, []).fee;
    });
  }
  for (const [level, agentId] of agents.entries()) {
    const { commission } = await balancesIn(platform, 'supplier', agentId);
    expect(commission, `level ${level}`).toBe(owed[level]);
  }
  expect(await brokenChecks(platform)).toEqual([]);
});
