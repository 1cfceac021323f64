import { sign, signMonitorCall } from '@sangam/contract/signature.ts';
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startDispatcher } from '../callbacks/dispatch.ts';
import type { Sender } from '../callbacks/send.ts';
import { sql } from '../platform/db/database.ts';
import { brokenChecks } from '../testing/books.ts';
import { startLossyProxy, type LossyProxy } from '../testing/lossy-proxy.ts';
import { createOne, creditSms, makeShop, newReference, type Shop } from '../testing/payments.ts';
import { createTestUser, signedIn, type TestUser } from '../testing/people.ts';
import { giveFunds } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { setTerms } from '../testing/world.ts';
import { recordOutcome } from './callback-outcome.ts';

/*
 * The same request goes to two nodes many times at once. Meanwhile answers are cut off after the work is done, and database connections are
 * killed at any moment, also during a commit. There must be one effect, and the same answer for every call.
 */

const LOSS = 0.35;
const PATIENCE = 200;
/** How many connections are killed in a test. The number is fixed, so that in the end there is an answer on slow machines too. */
const KILLS = 12;

let node: TestPlatform;
let proxies: LossyProxy[];
let shop: Shop;
let secret: string;
let killer: pg.Client;
let admin: { user: TestUser; headers: Record<string, string> };
let superAdmin: typeof admin;

beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  shop = await makeShop(platform, 10n ** 12n);
  const [row] = await platform.db.query<{ secret: Buffer }>(
    sql`select secret from merchants where id = ${shop.merchantId}`,
  );
  secret = platform.vault.open(row!.secret, ['merchants.secret', shop.merchantId]);
  await setTerms(platform, { ownerKind: 'merchant', ownerId: shop.merchantId, productId: 2001 });
  await giveFunds(platform, shop.merchantId, 'INR', 10n ** 10n);
  const person = async (role: 'admin' | 'superAdmin') => {
    const user = await createTestUser(platform, role);
    return { user, headers: await signedIn(platform, user) };
  };
  [admin, superAdmin] = [await person('admin'), await person('superAdmin')];
  const other = node.anotherNode();
  // Otherwise every killed connection would be reported.
  for (const { log } of [platform, other]) log.level = 'silent';
  const apps = [await node.app(), await node.app(undefined, other)];
  proxies = [];
  for (const app of apps)
    proxies.push(await startLossyProxy(await app.listen({ host: '127.0.0.1', port: 0 })));
  killer = new pg.Client({ connectionString: node.url });
  await killer.connect();
});
afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
  await killer.end();
  await node.close();
});

interface Answer {
  readonly code: number;
  readonly data: unknown;
}

/** A patient caller: calls again until the answer is not an error of the server. */
async function untilAnswered(
  attempt: () => { path: string; headers: object; body: string },
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const { path, headers, body } = attempt();
    const { url } = proxies[randomInt(proxies.length)]!;
    try {
      const response = await fetch(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close', ...headers },
        body,
        signal: AbortSignal.timeout(10_000),
      });
      const { code, data } = (await response.json()) as Answer;
      if (response.status < 500) return { code, data };
    } catch {
      // The answer was cut off: the caller does not know what happened.
    }
    if (tries === PATIENCE) throw new Error(`no answer from ${path}`);
    await sleep(randomInt(5, 30));
  }
}

function byMerchant(path: string, fields: Record<string, string>) {
  return () => {
    const timestamp = String(node.clock.now().getTime());
    const whole = { mchId: String(shop.merchantId), ...fields, timestamp, nonce: randomUUID() };
    return {
      path,
      headers: {},
      body: JSON.stringify({ ...whole, sign: sign(whole, 'hmac-sha256', secret) }),
    };
  };
}

const byUser = (who: typeof admin, path: string, input: object) => () => ({
  path,
  headers: who.headers,
  body: JSON.stringify(input),
});

/** Makes all calls at once while connections die; returns the different answers. */
async function manyAtOnce(attempt: () => { path: string; headers: object; body: string }, times: number) {
  return whileConnectionsDie(async () => {
    const answers = await Promise.all(Array.from({ length: times }, () => untilAnswered(attempt)));
    return [...new Set(answers.map((answer) => JSON.stringify(answer)))].map(
      (text) => JSON.parse(text) as Answer,
    );
  });
}

/** Kills a random database connection of the nodes every few milliseconds, preferably one that is committing. */
async function whileConnectionsDie<Result>(work: () => Promise<Result>): Promise<Result> {
  for (const proxy of proxies) proxy.loss = LOSS;
  let stopped = false;
  const killing = (async () => {
    for (let killed = 0; !stopped && killed < KILLS;) {
      const { rowCount } = await killer.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and xact_start is not null
        order by query <> 'commit', random() limit 1`);
      killed += rowCount ?? 0;
      await sleep(randomInt(5, 40));
    }
  })();
  try {
    return await work();
  } finally {
    stopped = true;
    await killing;
    for (const proxy of proxies) proxy.loss = 0;
  }
}

async function count(what: 'postings' | 'callbacks' | 'order_events', orderId: unknown): Promise<number> {
  const [row] = await node.platform.db.pool
    .query<{ n: number }>(`select count(*)::int as n from ${what} where order_id = $1`, [orderId])
    .then(({ rows }) => rows);
  return row!.n;
}

const TIMES = [2, 7, 20, 50];
vi.setConfig({ testTimeout: 60_000 });

test.each(TIMES)('a collection order asked for %i times at once is one', async (times) => {
  const mchOrderNo = `L${times}`;
  const fields = { productId: '1010', mchOrderNo, amount: '50000', notifyUrl: 'http://127.0.0.1:9/n' };
  const answers = await manyAtOnce(byMerchant('/v1.0/api/order/create', fields), times);
  expect(answers).toMatchObject([{ code: 200 }]);
  const { orderCode } = answers[0]!.data as { orderCode: string };
  const made = await node.platform.db.query(
    sql`select id from collection_orders where mch_order_no = ${mchOrderNo}`,
  );
  expect(made).toEqual([{ id: BigInt(orderCode) }]);
  expect(await count('order_events', orderCode)).toBe(2);
});

test.each(TIMES)('a payout asked for %i times at once is one, frozen once', async (times) => {
  const fields = {
    productId: '2001',
    mchOrderNo: `LP${times}`,
    amount: '50000',
    notifyUrl: 'http://127.0.0.1:9/n',
    userName: 'Asha Rao',
    cardNumber: '50100123456789',
    ifscCode: 'HDFC0000521',
    bankName: 'HDFC Bank',
  };
  const answers = await manyAtOnce(byMerchant('/v1.0/api/order/create', fields), times);
  expect(answers).toMatchObject([{ code: 200 }]);
  const { orderCode } = answers[0]!.data as { orderCode: string };
  expect(await count('postings', orderCode)).toBe(1);
});

test.each(TIMES)('a message told %i times at once pays its order once', async (times) => {
  const { platform } = node;
  const order = await createOne(platform, shop.merchantId, { amount: BigInt(60_000 + times * 1_000) });
  const { receivedAt, accountHint: _, ...told } = creditSms(platform, shop, order.payable!);
  const body = JSON.stringify({ messages: [{ ...told, receivedAt: receivedAt.getTime() }] });
  const attempt = () => {
    const timestamp = String(platform.clock.now().getTime());
    const sequence = String(nextSequence());
    return {
      path: '/v1.0/monitor/report',
      headers: {
        'x-monitor-id': String(shop.monitor.id),
        'x-monitor-timestamp': timestamp,
        'x-monitor-sequence': sequence,
        'x-monitor-signature': signMonitorCall(shop.monitorSecret, timestamp, sequence, body),
      },
      body,
    };
  };
  const answers = await whileConnectionsDie(async () => {
    // Sequence numbers rise, so a monitor's calls follow one another. A call without an answer is repeated at once.
    const all: Answer[] = [];
    while (all.length < times) {
      const answer = await untilAnswered(attempt);
      if (answer.code === 200) all.push(answer);
    }
    return all;
  });
  const results = answers.map(({ data }) => JSON.stringify((data as { results: unknown }).results));
  expect(new Set(results).size).toBe(1);
  expect(results[0]).toContain(`"state":"matched","orderCode":"${order.id}"`);
  expect([await count('postings', order.id), await count('callbacks', order.id)]).toEqual([1, 1]);
});

let sequence = 0;
const nextSequence = () => (sequence += 1);

test.each(TIMES)('an order supplemented %i times at once is paid once', async (times) => {
  const order = await createOne(node.platform, shop.merchantId, { amount: BigInt(90_000 + times * 1_000) });
  const input = { orderCode: String(order.id), utr: newReference(), isOffsetReplenishmentOrder: false };
  const answers = await manyAtOnce(byUser(admin, '/v1.0/order/replenishmentOrder', input), times);
  expect(answers).toMatchObject([{ code: 200, data: { orderStatusId: 6 } }]);
  expect([await count('postings', order.id), await count('callbacks', order.id)]).toEqual([1, 1]);
});

test.each(TIMES)('a request approved %i times at once is executed once', async (times) => {
  const input = {
    ownerKind: 'merchant',
    ownerId: String(shop.merchantId),
    currency: 'INR',
    amount: 1_000 + times,
    reason: 'test',
    requestKey: `approve ${times}`,
  };
  const asked = await manyAtOnce(byUser(admin, '/v1.0/fundRecord/topUp', input), times);
  expect(asked).toMatchObject([{ code: 1205 }]);
  const { todoId } = asked[0]!.data as { todoId: string };
  const decided = await manyAtOnce(
    byUser(superAdmin, '/v1.0/todo/decide', { id: todoId, approve: true }),
    times,
  );
  expect(decided).toMatchObject([{ code: 200, data: { status: 'approved' } }]);
  const posted = await node.platform.db.query(
    sql`select 1 from postings where key = ${`approval/${todoId}`}`,
  );
  expect(posted).toHaveLength(1);
});

test('two nodes whose connections die deliver and record callbacks; each callback is acknowledged and ends once', async () => {
  const { platform, clock } = node;
  const other = node.anotherNode();
  other.log.level = 'silent';
  const told = new Map<string, number>();
  const sender: Sender = {
    send: async ({ fields }) => {
      const number = String(fields['payOrderId']);
      told.set(number, (told.get(number) ?? 0) + 1);
      return {
        httpMethod: 'POST',
        request: '{}',
        signed: 'sign=ABC',
        status: 200,
        answer: 'success',
        error: null,
        durationMs: 1,
        acknowledged: true,
      };
    },
    close: async () => undefined,
  };
  const open = () =>
    platform.db.query<{ orderId: bigint }>(sql`select order_id as "orderId" from callback_queue`);
  const owed = await open();
  expect(owed.length).toBeGreaterThan(0);
  const dispatchers = [platform, other].map((each) => startDispatcher(each, sender, recordOutcome));
  await whileConnectionsDie(async () => {
    for (let tries = 0; tries < 200 && (await open().catch(() => [1])).length > 0; tries += 1) {
      // The lease of an attempt that could not be recorded runs out.
      clock.advance(5_000);
      await sleep(50);
    }
  });
  await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop()));
  expect(await open()).toEqual([]);
  for (const { orderId } of owed) expect(told.get(String(orderId))).toBeGreaterThanOrEqual(1);
  const wrong = await platform.db.query(sql`
    select o.id from collection_orders o
    where o.id = any(${owed.map(({ orderId }) => orderId)}) and (o.status <> 3
      or (select count(*) from order_events e where e.order_id = o.id and e.kind = 'callbackSucceeded') <> 1)`);
  expect(wrong).toEqual([]);
});

test('after all of that the books hold', async () => {
  expect(await brokenChecks(node.platform)).toEqual([]);
});
