import * as contract from '@sangam/contract/endpoints/maintenance.ts';
import * as todo from '@sangam/contract/endpoints/todo.ts';
import type { Currency } from '@sangam/contract/money.ts';
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { expireDue } from '../collection/expire.ts';
import { holdDeposits } from '../collection/hold.ts';
import { receiveMessages } from '../evidence/matching/receive.ts';
import { DAY, HOUR, MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { brokenChecks } from '../testing/books.ts';
import { createOne, creditSms, makeShop, type Shop } from '../testing/payments.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { SEED } from '../testing/seed.ts';
import { createRandom } from '../demo/random.ts';
import { makeUser, viewerOf } from '../testing/world.ts';

let node: TestPlatform;
let boss: Viewer;
let second: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  boss = await someone('superAdmin');
  second = await someone('admin');
});
afterEach(async () => {
  await node.platform.db.query(sql`delete from settings`);
  await node.platform.settings.refresh();
});
afterAll(() => node.close());

async function someone(role: 'superAdmin' | 'admin'): Promise<Viewer> {
  const { id, account } = await makeUser(node.platform, { role });
  return { ...viewerOf(node.platform, { role }), userId: id, account };
}

const look = async () => (await ask(node.platform, boss, contract.previewFix)).list;
const keyOf = ({ kind, subject }: { kind: string; subject: string }) => `${kind} ${subject}`;

interface Waiting {
  readonly id: bigint;
  readonly supplierId: bigint;
  readonly accountId: bigint;
  readonly held: bigint;
}

/** Makes waiting, paid and timed-out orders, on accounts of suppliers with and without deposit holds. */
async function fill(): Promise<{ shops: readonly Shop[]; paid: readonly bigint[] }> {
  const { platform } = node;
  const shops: Shop[] = [];
  const paid: bigint[] = [];
  for (const holds of [true, false]) {
    await platform.settings.write('IsSupplierRemoveBalanceOnOrderFinished', !holds, null);
    await platform.db.query(sql`update resources set state = 1`);
    const shop = await makeShop(platform);
    shops.push(shop);
    for (let n = 0; n < 8; n += 1) await createOne(platform, shop.merchantId);
    node.clock.advance(20 * MINUTE);
    while ((await expireDue(platform)) > 0);
    await platform.db.query(sql`update monitors set last_seen_at = ${node.clock.now()}`);
    for (let n = 0; n < 12; n += 1) {
      const order = await createOne(platform, shop.merchantId);
      if (n % 3 !== 0) continue;
      await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
      paid.push(order.id);
    }
  }
  return { shops, paid };
}

const waiting = () =>
  node.platform.db.query<Waiting>(sql`
    select w.order_id as id, w.supplier_id as "supplierId", w.account_id as "accountId", w.held
    from waiting_orders w where not timed_out order by 1`);

type Damage = (pick: <Item>(from: readonly Item[]) => Item) => Promise<readonly string[]>;

/** Each kind of damage: what it changes, and what the repair must report. */
function damages(shops: readonly Shop[], paid: readonly bigint[], orders: Waiting[]): readonly Damage[] {
  const { platform } = node;
  const { db } = platform;
  // Each order is damaged once, so that its report is known.
  const take = (pick: Parameters<Damage>[0]) => orders.splice(orders.indexOf(pick(orders)), 1)[0]!;
  const load =
    (column: 'waiting_count' | 'waiting_amount' | 'grace_amount'): Damage =>
    async (pick) => {
      const { accountId } = pick(shops);
      const change = {
        waiting_count: sql`waiting_count = waiting_count + 3`,
        waiting_amount: sql`waiting_amount = waiting_amount + 7`,
        grace_amount: sql`grace_amount = grace_amount + 11`,
      };
      await db.query(sql`update account_load set ${change[column]} where account_id = ${accountId}`);
      return [`accountLoad account:${accountId}`];
    };
  return [
    load('waiting_count'),
    load('waiting_amount'),
    load('grace_amount'),
    async (pick) => {
      const { accountId } = pick(shops);
      await db.query(sql`update account_days set orders = orders + 1000 where account_id = ${accountId}`);
      return [`accountDay account:${accountId}`];
    },
    async (pick) => {
      const { id, held } = take(pick);
      await db.query(sql`delete from waiting_orders where order_id = ${id}`);
      return [`orderWithoutWaiting order:${id}`, ...(held > 0n ? [`holdDiffers order:${id}`] : [])];
    },
    async (pick) => {
      const { accountId, supplierId } = pick(shops);
      const id = platform.ids.next();
      await db.query(sql`
        insert into waiting_orders (order_id, account_id, supplier_id, currency, amount, payable, identify_code, day, allocated_at,
          expires_at, release_at)
        values (${id}, ${accountId}, ${supplierId}, 'INR', 1, ${id}, ${randomUUID()}, '2026-01-01', now(), now(), now())`);
      return [`waitingWithoutOrder order:${id}`];
    },
    async (pick) => {
      const { id } = take(pick);
      await db.query(sql`update waiting_orders set payable = payable + 100000000 where order_id = ${id}`);
      return [`waitingDiffers order:${id}`];
    },
    async (pick) => {
      const { id } = take(pick);
      await db.query(sql`update waiting_orders set timed_out = true where order_id = ${id}`);
      return [`waitingDiffers order:${id}`];
    },
    async (pick) => {
      const { id } = take(pick);
      await db.query(sql`update waiting_orders set held = held + 5 where order_id = ${id}`);
      return [`holdDiffers order:${id}`];
    },
    async (pick) => {
      const orderId = pick(paid);
      const { supplierId } = pick(shops);
      const hold = { orderId, supplierId, currency: 'INR' as Currency, held: 900n };
      await db.tx((tx) => holdDeposits(platform, tx, [hold]));
      return [`holdWithoutOrder order:${orderId}`];
    },
    async (pick) => {
      const { accountId } = pick(shops);
      const messageId = platform.ids.next();
      await db.query(sql`
        insert into chain_holds (message_id, account_id, order_id, evidence, held_at, until)
        values (${messageId}, ${accountId}, ${messageId}, 'exactAmount', now(), now())`);
      return [`chainHold message:${messageId}`];
    },
    async () => {
      const claim = platform.ids.next();
      const until = new Date(node.clock.now().getTime() - HOUR);
      await db.query(sql`
        insert into callback_leases (claim, merchant_id, callback_ids, until) values (${claim}, 1, '{1}', ${until})`);
      return [`callbackLease callbackLease:${claim}`];
    },
    async () => {
      const name = `job ${platform.ids.next()}`;
      const until = new Date(node.clock.now().getTime() + 100 * DAY);
      await db.query(sql`
        insert into job_leases (name, token, leased_until) values (${name}, ${randomUUID()}, ${until})`);
      return [`jobLease job:${name}`];
    },
  ];
}

test(`a world damaged at random is described exactly, and whole after the repair (SEED=${SEED})`, async () => {
  const random = createRandom(SEED);
  const { pick } = random;
  const { shops, paid } = await fill();
  expect(await look()).toEqual([]);
  const ways = damages(shops, paid, await waiting());
  const expected = new Set<string>();
  for (let n = 0; n < 12; n += 1) for (const key of await pick(ways)(pick)) expected.add(key);

  const described = await look();
  expect(new Set(described.map(keyOf))).toEqual(expected);
  expect(await look()).toEqual(described);
  const reset = await ask(node.platform, boss, contract.previewResourcePool);
  expect(reset.list.every(({ kind }) => kind.startsWith('account'))).toBe(true);

  const { list, todoId } = await ask(node.platform, boss, contract.fixResources, { reason: 'a test' });
  expect(list).toEqual(described);
  const waits = described.filter((mend) => mend.waits);
  expect(waits.map(({ kind }) => kind)).toEqual(waits.map(() => 'holdWithoutOrder'));
  expect(await look()).toEqual(waits);
  expect(todoId !== null).toBe(waits.length > 0);
  if (todoId !== null) await ask(node.platform, second, todo.decide, { id: todoId, approve: true });
  expect(await look()).toEqual([]);
  expect(await brokenChecks(node.platform)).toEqual([]);
});

test('a consistent world is left alone, also while orders are created and paid', async () => {
  const { platform } = node;
  await platform.db.query(sql`update resources set state = 1`);
  const shop = await makeShop(platform);
  let working = true;
  const work = async () => {
    for (let n = 0; n < 12; n += 1) {
      const order = await createOne(platform, shop.merchantId);
      if (n % 2 === 0)
        await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
    }
  };
  const watch = async () => {
    let looks = 0;
    for (; working || looks < 3; looks += 1) expect(await look()).toEqual([]);
    return looks;
  };
  const watching = watch();
  await Promise.all([work(), work(), work()]).finally(() => (working = false));
  expect(await watching).toBeGreaterThan(2);
  // A repair of an account's load waits for transactions that change the load, and they wait for the repair.
  await platform.db.query(
    sql`update account_load set waiting_count = waiting_count + 9 where account_id = ${shop.accountId}`,
  );
  await Promise.all([work(), ask(platform, boss, contract.resetResourcePool, { reason: 'a test' }), work()]);
  expect(await look()).toEqual([]);
  expect(await brokenChecks(platform)).toEqual([]);
});
